import { COUNTRIES } from "#shared/countries";

/** Countries for a Combobox whose value is the name as people read it. */
export const COUNTRY_NAME_OPTIONS = COUNTRIES.map(({ code, name, aliases }) => ({
  value: name,
  label: name,
  aliases: [code, ...aliases],
}));
