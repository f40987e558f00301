/**
 * The ten banks of the external transfer form. Names are invented; the numbers pass the routing
 * checksum but start with an unassigned prefix, so none belongs to a real bank.
 */
export const BANKS = [
  { name: "Alder & Finch Bank", routingNumber: "990010139" },
  { name: "Bluestem National", routingNumber: "990020268" },
  { name: "Cedar Point Trust", routingNumber: "990030397" },
  { name: "Dunmore Savings", routingNumber: "990040523" },
  { name: "Eastbrook Bank", routingNumber: "990050652" },
  { name: "Fairhollow Bank", routingNumber: "990060781" },
  { name: "Granite Bay Federal", routingNumber: "990070917" },
  { name: "Hartwell Commerce", routingNumber: "990081045" },
  { name: "Ironwood Community", routingNumber: "990091174" },
  { name: "Juniper State Bank", routingNumber: "990101307" },
] as const;

/** The bank with this name, or undefined. */
export function findBank(name: string): (typeof BANKS)[number] | undefined {
  return BANKS.find((bank) => bank.name === name);
}
