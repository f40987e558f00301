import { PROVIDER_NAMES } from "#shared/texts";
import type { BillProvider } from "#shared/validators";
import { Droplets, ShieldCheck, Smartphone, Tv, Wifi, Zap } from "lucide-react";
import type { ReactNode } from "react";

/** Name and icon of each quick-pick provider (spec section 2 "Bill Pay"). */
export const PROVIDERS: Readonly<Record<BillProvider, { label: string; icon: ReactNode }>> = {
  electric: { label: PROVIDER_NAMES.electric, icon: <Zap /> },
  water: { label: PROVIDER_NAMES.water, icon: <Droplets /> },
  internet: { label: PROVIDER_NAMES.internet, icon: <Wifi /> },
  mobile: { label: PROVIDER_NAMES.mobile, icon: <Smartphone /> },
  insurance: { label: PROVIDER_NAMES.insurance, icon: <ShieldCheck /> },
  streaming: { label: PROVIDER_NAMES.streaming, icon: <Tv /> },
};
