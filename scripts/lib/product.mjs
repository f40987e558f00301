/**
 * The product's configuration of the backend: environment, keys, demo data. The backend itself knows nothing
 * about these.
 */
import { countOf, faultOf, originOf, proxyOf, settingOf } from "./args.mjs";
import { FUNCTIONS_DIST } from "./builds.mjs";
import { KEY_NAMES, signingProblems } from "./configuration.mjs";

/** Origins of the market widget on Home; none unless the client was built with one. */
function widgetOrigins() {
  const address = process.env.VITE_MARKET_WIDGET_URL;
  return address ? [originOf(address, "VITE_MARKET_WIDGET_URL")] : [];
}
const MIB = 1024 * 1024;
/** Largest frame and body; a file of transaction rows has at most 2 MB. */
const MESSAGE_MAX_BYTES = 2 * MIB;
/** A function that blocks the process for this long is stopped. */
const WATCHDOG_MS = 5_000;
const UPLOAD_MAX_BYTES = 20 * MIB;

/** Keys that existing people need to sign in: sessions and one-time codes depend on them. */
const LASTING_KEYS = ["JWT_PRIVATE_KEY", "JWKS", "OTP_HMAC_KEY", "OTP_ENC_KEY"];
/** The next step when lasting keys are missing. */
export const KEYS_NEXT =
  "Put the old keys back: the keys.json of a backup belongs there; or import again with --keys FILE --replace, or set the keys in the environment. " +
  "If they are lost for good, move what is left of keys.json away and run npm start -- --new-keys: everybody signs in again, with new one-time codes.";
/** Environment variables that are passed on to functions. */
const PASSED_ON = ["MAIL_API_URL", "MAIL_API_KEY", "PROTECTED_ACCOUNT_EMAIL", "AUTH_LOG_LEVEL"];
const DEMO_PROTECTED_EMAIL = "vip@demo.example";

/** The environment variables with these names; unset ones are left out. */
const environment = (names) =>
  Object.fromEntries(
    names
      .filter((name) => process.env[name] !== undefined)
      .map((name) => [name, process.env[name]]),
  );

/** Keys in this process's environment, which override stored ones. */
const givenKeys = () =>
  environment([...LASTING_KEYS, ...KEY_NAMES].filter((name) => process.env[name] !== ""));

/** The product's keys, unchanged. @throws KeysError when a lasting one is missing */
export const readKeys = (backend, dataDir) =>
  backend.readSecrets(dataDir, LASTING_KEYS, givenKeys());

/** Like {@link readKeys}, but only the keys that stored data depends on. */
export function readLastingKeys(backend, dataDir) {
  const keys = readKeys(backend, dataDir);
  return Object.fromEntries(LASTING_KEYS.map((name) => [name, keys[name]]));
}

/** True for the text of a keys.json that has all keys that stored data depends on. */
export function areLastingKeys(text) {
  try {
    const keys = JSON.parse(text);
    return LASTING_KEYS.every((name) => typeof keys[name] === "string" && keys[name] !== "");
  } catch {
    return false;
  }
}

/** The product's keys. @throws Error that says what to do, when the keys of existing data are missing */
async function loadKeys(backend, dataDir, mayMakeKeys) {
  const lasting = mayMakeKeys ? [] : LASTING_KEYS;
  const given = givenKeys();
  const { JWT_PRIVATE_KEY: pem, JWKS: jwks } = given;
  const problems = pem && jwks ? [...signingProblems(pem, jwks)] : [];
  if (problems.length > 0) throw new Error(`Refusing to start: ${problems.join("; ")}.`);
  try {
    return await backend.loadSecrets(dataDir, KEY_NAMES, { lasting, given });
  } catch (error) {
    if (error.name !== "KeysError") throw error;
    throw new Error(`Refusing to start: ${error.message}.\n${KEYS_NEXT}`, { cause: error });
  }
}

/** The functions' environment, unless variables stored by `convex env set` override it. */
const functionEnv = (isDemo, siteUrl) => ({
  AUTH_LOG_LEVEL: "ERROR",
  ...(isDemo && { PROTECTED_ACCOUNT_EMAIL: DEMO_PROTECTED_EMAIL, DEV_SEED: "1" }),
  ...environment(PASSED_ON),
  SITE_URL: siteUrl,
});

/** The part that cannot be overridden: other keys than those of keys.json would make stored data unreadable. */
function fixedFunctionEnv(secrets, isDemo) {
  const { ADMIN_KEY: _adminKey, UPLOAD_TOKEN_KEY: _uploadKey, ...functionSecrets } = secrets;
  return { ...functionSecrets, DEMO: isDemo ? "1" : "0" };
}

/** LOG_FORMAT: `text` for people (default), `json` for collectors. */
export function logFormat() {
  const format = settingOf("LOG_FORMAT", "text");
  const fault = faultOf("format", format, "LOG_FORMAT");
  if (fault !== null) throw new Error(fault);
  return format;
}

async function refuseDemoPeople(host) {
  if (!(await host.run("dev/seed:hasDemoPeople"))) return;
  throw new Error(
    "Refusing to start (DEMO=0): the data folder holds the demonstration's people, whose password everybody knows.",
  );
}

/** True when the stored one-time codes can be read with the keys of this start. */
export const areCodesReadable = (host) => host.run("dev/seed:areCodesReadable");

/** Refuses to start when the keys are complete but belong to another deployment. */
export async function refuseForeignKeys(host) {
  if (await areCodesReadable(host)) return;
  throw new Error(
    `Refusing to start: the one-time codes were sealed with other keys.\n${KEYS_NEXT}`,
  );
}

/**
 * Refuses a demonstration on real people's data: its pages would mislead them, and its limits would not
 * protect them.
 */
async function refuseRealPeople(host) {
  if ((await host.run("dev/seed:isEmpty")) || (await host.run("dev/seed:hasDemoPeople"))) return;
  throw new Error(
    "Refusing to start (DEMO=1): the data folder holds other people than the demonstration's: set DEMO=0.",
  );
}

/** Creates the first data: the demo people, or only one-time codes. Does nothing when somebody is registered. */
async function prepareData(host, isDemo, log) {
  await (isDemo ? refuseRealPeople(host) : refuseDemoPeople(host));
  const result = await host.run(isDemo ? "dev/seed:demo" : "dev/seed:empty");
  if (isDemo && result.isNew) log("Wrote the demo data set.");
}

/**
 * Checks the ledger, because a start may follow a crash or a restored backup. Runs with pauses, while
 * serving.
 */
function checkBooks(host) {
  return host.run("admin/health:startLedgerCheck");
}

/**
 * After a change of keys: makes one-time codes that they can read and returns one; null when the stored ones
 * are readable.
 */
export function renewCodes(host) {
  return host.run("dev/seed:renewCodes");
}

/**
 * Creates the first administrator of an empty deployment, with one-time codes.
 * @throws Error, with nothing written, when somebody is registered or the address is invalid
 */
export async function createFirstAdmin(host, email) {
  await refuseDemoPeople(host);
  const admin = await host.run("dev/seed:firstAdmin", { email }).catch((error) => {
    // A refusal contains the sentence that the pages show.
    throw error.cause?.message === undefined ? error : new Error(error.cause.message);
  });
  if (admin !== null) return admin;
  throw new Error(
    "Somebody is registered already: administrators make further ones; where none can, npm run operator -- add-admin.",
  );
}

/** Enough for a thousand people behind one address, but no single client can use up all connections. */
const CONNECTIONS_PER_ADDRESS_MAX = 1_000;

/** Behind an unconfigured proxy all clients share one address, so the limit cannot apply. */
function connectionsPerAddress({ TRUSTED_PROXY, CONNECTIONS_PER_ADDRESS }) {
  if (CONNECTIONS_PER_ADDRESS !== undefined) {
    const max = countOf(CONNECTIONS_PER_ADDRESS, "CONNECTIONS_PER_ADDRESS");
    return { connectionsPerAddressMax: max };
  }
  return TRUSTED_PROXY === "none" ? {} : { connectionsPerAddressMax: CONNECTIONS_PER_ADDRESS_MAX };
}

/** Options that open the product's data, served or not. Given `keys` are used unchanged. */
async function dataOptions(
  backend,
  { functions, dataDir, isDemo, siteUrl, mayMakeKeys = false, keys },
) {
  const secrets = keys ?? (await loadKeys(backend, dataDir, mayMakeKeys));
  return {
    functions,
    dataDir,
    adminKey: secrets.ADMIN_KEY ?? null,
    uploadTokenKey: secrets.UPLOAD_TOKEN_KEY ?? null,
    env: (origin) => functionEnv(isDemo, siteUrl ?? origin),
    fixedEnv: fixedFunctionEnv(secrets, isDemo),
    isRedacting: true,
    publicFunctionMark: "_guard",
    version: "0.1.0",
    onLogLine: null,
  };
}

/**
 * Everything `openStopped` needs to open this product's data. Of the environment only keys are read: a wrong
 * server setting must not block access to the data.
 * @throws Error when the keys of existing data are missing
 */
export const stoppedOptions = (backend, { dataDir, keys }) =>
  dataOptions(backend, {
    functions: { bundleDir: FUNCTIONS_DIST },
    dataDir,
    isDemo: false,
    keys,
  });

/**
 * Everything `serve` needs to run this product. `functions` is the source of the functions; `staticDir` is
 * null when Vite serves the client. Keys are generated for a folder without data, for others only with
 * `mayMakeKeys`.
 * @throws Error when the keys of existing data are missing
 */
export async function productOptions(
  backend,
  { functions, staticDir, port, host, dataDir, isDemo, log, mayMakeKeys = false },
) {
  const siteUrl = settingOf("SITE_URL");
  const proxy = settingOf("TRUSTED_PROXY");
  const logger = backend.newLogger(logFormat(), log);
  const publicOrigin = siteUrl === undefined ? null : originOf(siteUrl, "SITE_URL");
  return {
    host,
    port,
    sitePort: null,
    publicOrigin,
    allowedOrigins: [],
    trustedProxy: proxy === undefined ? null : proxyOf(proxy, "TRUSTED_PROXY"),
    staticDir,
    frameOrigins: widgetOrigins(),
    messageMaxBytes: MESSAGE_MAX_BYTES,
    uploadMaxBytes: UPLOAD_MAX_BYTES,
    connectionsMax: 20_000,
    ...connectionsPerAddress(process.env),
    watchdogMs: WATCHDOG_MS,
    // After the settings are checked: a refused start must not generate keys.
    ...(await dataOptions(backend, { functions, dataDir, isDemo, siteUrl, mayMakeKeys })),
    onLogLine: (line, requestId) => logger.line(line, requestId),
    onCall: (record) => logger.call(record),
    gaugesFunction: "admin/health:gauges",
    beforeServing: async (serving) => {
      if (!mayMakeKeys) await refuseForeignKeys(serving);
      await prepareData(serving, isDemo, logger.line);
      await checkBooks(serving);
    },
  };
}
