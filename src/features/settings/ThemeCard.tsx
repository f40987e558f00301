import { Monitor, Moon, Sun } from "lucide-react";
import { Card } from "../../components/ui/Card";
import { RadioCards } from "../../components/ui/RadioCards";
import { useTheme } from "../../hooks/useTheme";
import { THEMES, type Theme } from "../../lib/theme";

const OPTIONS = [
  { value: "system", label: "Same as device", icon: <Monitor /> },
  { value: "light", label: "Light", icon: <Sun /> },
  { value: "dark", label: "Dark", icon: <Moon /> },
] as const satisfies readonly { value: Theme; label: string; icon: unknown }[];

/** Light, dark, or as the device says; kept on this device. */
export function ThemeCard() {
  const { theme, setTheme } = useTheme();
  return (
    <Card title="Appearance" className="no-print">
      <RadioCards
        legend="Theme"
        name="theme"
        options={OPTIONS}
        value={theme}
        onValueChange={(value) => {
          const chosen = THEMES.find((known) => known === value);
          if (chosen !== undefined) setTheme(chosen);
        }}
      />
    </Card>
  );
}
