/**
 * `npm run operator`: sets a password, makes an administrator or issues a code, for when no administrator can
 * help any more.
 */
import { misuse, parseOptions, printable } from "./lib/args.mjs";
import { ensurePackages } from "./lib/install.mjs";

const USAGE = `usage: npm run operator -- <admins|reset-password|add-admin|add-code> [options]

For when no administrator can help: the last one left, or passwords are forgotten, or one-time codes used
up. The server may run. No policy asks for a second administrator here; each act stands in the audit log with
its reason, and every administrator is told. Passwords and codes are printed once and kept nowhere in clear.

  admins          who is an administrator, and whose sign-in is disabled
  reset-password  --email EMAIL --reason TEXT [--enable]
                  a one-time password for an administrator, to be changed at the first sign-in; their
                  sessions end; --enable: also for one whose sign-in is disabled
  add-admin       --email EMAIL --reason TEXT [--name NAME]
                  another administrator
  add-code        --reason TEXT
                  a one-time code that nobody has used; a full list loses its oldest one

  --data DIR      data folder (DATA_DIR, else .data)

On real Convex: npm run convex -- run operator:admins
                npm run convex -- run operator:resetPassword '{"email":"…","reason":"…","isEnabling":false}'
                npm run convex -- run operator:addAdmin '{"email":"…","reason":"…","name":"…"}'
                npm run convex -- run operator:addCode '{"reason":"…"}'`;

/** For each command: the function it runs, its required and optional options, and its success message. */
const COMMANDS = {
  admins: {
    run: "operator:admins",
    needs: [],
    takes: [],
    say: (admins) => admins.map(adminLine).join("\n") || "There is no administrator.",
  },
  "reset-password": {
    run: "operator:resetPassword",
    needs: ["email", "reason"],
    takes: ["enable"],
    say: ({ password }, { email }) =>
      `One-time password of ${email}: ${password}\n${ONCE} It is changed at the next sign-in.`,
  },
  "add-admin": {
    run: "operator:addAdmin",
    needs: ["email", "reason"],
    takes: ["name"],
    say: ({ password, code }, { email }) =>
      `New administrator: ${email}\npassword: ${password}\ncode: ${code}\n${ONCE} The password is changed at the first sign-in.`,
  },
  "add-code": {
    run: "operator:addCode",
    needs: ["reason"],
    takes: [],
    say: ({ code }) => `New one-time code: ${code}\n${ONCE} Manage OTPs adds more.`,
  },
};
const ONCE = "Shown only now. Tell it to that person alone.";

/** The next step after a refusal, by its code. */
const NEXT = {
  USER_NOT_FOUND:
    "npm run operator -- admins shows who is an administrator; the first one of all is made by npm start -- --first-admin EMAIL.",
  NOT_ADMIN: "Administrators give members a one-time password (Admin Dashboard, Role and sign-in).",
  ADMINISTRATOR_DISABLED: "Add --enable to enable it as well.",
  EMAIL_TAKEN: "Name another address, or give an administrator who has it a one-time password.",
};

const [what = "", ...rest] = process.argv.slice(2);
const isCommand = Object.hasOwn(COMMANDS, what);
const options = parseOptions(isCommand ? rest : process.argv.slice(2), USAGE, {
  values: ["email", "reason", "name", "data"],
  flags: ["enable"],
});
if (!isCommand) misuse(`Say what to do.\n${USAGE}`);
const command = COMMANDS[what];
for (const name of command.needs) {
  if (options[name] === undefined) misuse(`Option --${name} is missing\n${USAGE}`);
}
for (const name of Object.keys(options)) {
  if (![...command.needs, ...command.takes, "data"].includes(name)) {
    misuse(`${what} takes no --${name}\n${USAGE}`);
  }
}
const { data: _dataDir, enable, ...named } = options;
const args = { ...named, ...(enable === true ? { isEnabling: true } : {}) };

await ensurePackages();
const { ensureFunctions, loadServer } = await import("./lib/builds.mjs");
const { callOnServer, dataDirOf, runCommand, runningServer } = await import("./lib/operator.mjs");
const { refuseForeignKeys, stoppedOptions } = await import("./lib/product.mjs");
const backend = await loadServer();

await runCommand(async () => {
  const dataDir = dataDirOf(options);
  const [folder] = backend.inspectFolder(dataDir);
  if (folder.status === "problem")
    throw new Error(`${folder.text.replace(/\.$/, "")}. ${folder.next}`);
  const server = await runningServer(backend, dataDir);
  const answer =
    server === null ? await runStopped(dataDir) : await callOnServer(server, command.run, args);
  if (answer.refusal !== undefined) throw new Error(refusalText(answer.refusal));
  console.log(printable(command.say(answer.value, options)));
});

/** Opens the stopped data like the next start, without serving it. */
async function runStopped(dataDir) {
  await ensureFunctions();
  const opened = await backend.openStopped(await stoppedOptions(backend, { dataDir }));
  try {
    await refuseForeignKeys(opened.host);
    return { value: await opened.host.run(command.run, args) };
  } catch (error) {
    if (error.cause?.code === undefined) throw error;
    return { refusal: error.cause };
  } finally {
    await opened.backend.close();
  }
}

function refusalText({ code, message }) {
  const sentence = /[.?!]$/.test(message) ? message : `${message}.`;
  return NEXT[code] === undefined ? sentence : `${sentence}\n${NEXT[code]}`;
}

function adminLine({ email, name, isDisabled, mustChangePassword }) {
  const state = isDisabled
    ? "sign-in disabled"
    : mustChangePassword
      ? "has a one-time password"
      : "active";
  return `${email.padEnd(32)} ${state.padEnd(24)} ${name}`;
}
