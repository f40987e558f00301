import type { BillProvider } from "#shared/validators";
import { Droplets, ShieldCheck, Smartphone, Tv, Wifi, Zap } from "lucide-react";
import type { ReactNode } from "react";

/** Name and icon of each quick-pick provider (spec section 2 "Bill Pay"). */
export const PROVIDERS: Readonly<Record<BillProvider, { label: string; icon: ReactNode }>> = {
  electric: { label: "Electric", icon: <Zap /> },
  water: { label: "Water", icon: <Droplets /> },
  internet: { label: "Internet", icon: <Wifi /> },
  mobile: { label: "Mobile", icon: <Smartphone /> },
  insurance: { label: "Insurance", icon: <ShieldCheck /> },
  streaming: { label: "Streaming", icon: <Tv /> },
};
