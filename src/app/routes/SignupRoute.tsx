import { useNavigate } from "react-router-dom";
import { PageContainer } from "../../components/layout/PageContainer";
import { StatusLayout } from "../../components/layout/StatusLayout";
import { SignupForm } from "../../features/registration/SignupForm";
import { useRegistration } from "../../features/registration/useRegistration";
import { PATHS } from "../../lib/paths";

/** The membership application (spec section 2 "Signup form"). */
export function SignupRoute() {
  const navigate = useNavigate();
  const registration = useRegistration(() => void navigate(PATHS.registrationSuccess));
  return (
    <StatusLayout>
      <PageContainer width="public">
        <SignupForm
          values={registration.values}
          onChange={registration.change}
          onClear={registration.clear}
          onSubmit={() => void registration.submit()}
          isBusy={registration.isBusy}
          problems={registration.problems}
          attempt={registration.attempt}
          passwordRule={registration.passwordRule}
          maxBirthDate={registration.maxBirthDate}
        />
      </PageContainer>
    </StatusLayout>
  );
}
