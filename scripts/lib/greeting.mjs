/** What a start prints for the person who started it. */
import { shellWord } from "./args.mjs";

const DEMO_PASSWORD = "Wrenmoor-Demo-2026";
const DEMO_SIGN_INS = [
  ["admin@demo.example", "administrator"],
  ["maya@demo.example", "approved member with history since February 2024"],
  ["omar@demo.example", "approved member"],
  ["lena@demo.example", "registration waiting for approval"],
  ["rui@demo.example", "rejected registration"],
  ["nora@demo.example", "approved, transfers used up"],
  ["vip@demo.example", "approved, the protected account"],
  ["lock@demo.example", "approved, external transfers restricted"],
];
const CODES_SHOWN_MAX = 5;

function codesText(demoCodes) {
  if (demoCodes.length === 0) {
    return "see Manage OTPs, or make one: npm run operator -- add-code --reason TEXT";
  }
  const shown = demoCodes.slice(0, CODES_SHOWN_MAX).join(" ");
  return demoCodes.length > CODES_SHOWN_MAX ? `${shown} and the others of the README` : shown;
}

/** The data folder as a command must repeat it: in another shell the variable is not set, and `.data` is used. */
function dataDirSetting() {
  const { DATA_DIR } = process.env;
  return DATA_DIR === undefined ? "" : `DATA_DIR=${shellWord(DATA_DIR)} `;
}

/**
 * Prints what a person needs to know once the server is up. `hasPeople`: somebody is registered; `demoCodes`: those of
 * the README that are still in the list; `newCode`: one of the renewed codes, or null.
 */
export function printWelcome({ origin, dataDir, isDemo, hasPeople, demoCodes, newCode }, log) {
  log(`\nServing at ${origin}   (data in ${dataDir}, stop with Ctrl-C)`);
  if (isDemo) {
    log(`\nDemo sign-ins, password for everyone: ${DEMO_PASSWORD}`);
    for (const [email, who] of DEMO_SIGN_INS) log(`  ${email.padEnd(20)} ${who}`);
    if (newCode === null) log(`  one-time codes: ${codesText(demoCodes)}\n`);
  } else if (!hasPeople) {
    log("\nNobody is registered. Make the first administrator once, with this server stopped:");
    log(`  ${dataDirSetting()}npm start -- --first-admin you@example.org\n`);
  }
  if (newCode !== null) {
    log("\nOne-time codes were made anew: nobody can read the old ones with the new keys.");
    log(`Sign in as an administrator with the code ${newCode}; Manage OTPs shows the others.\n`);
  }
}

/** Prints how to sign in for the first time, and the next steps. Shown only once; it is stored nowhere. */
export function printFirstAdmin({ email, password, code }, log) {
  log(`First administrator: ${email}\npassword: ${password}\ncode: ${code}`);
  log(`\nNext: DEMO=0 ${dataDirSetting()}npm start, and sign in with these at /login.`);
  log("Then: change the password (Account Settings), replace the codes (Manage OTPs),");
  log("and create a second administrator (Create New User).");
}
