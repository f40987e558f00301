/**
 * Operators' operations on a running server: metrics, backups, exports. Everything is written inside the data
 * folder, never where a request says.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import type { EmbeddedDatabase } from "./db/database.ts";
import { exportDeployment } from "./operations/archive.ts";
import { backupDeployment } from "./operations/backup.ts";
import type { CallMetrics } from "./operations/callMetrics.ts";
import { EXPORTS_FOLDER, newBackupFolder } from "./operations/dataFolder.ts";
import { assertRoomForCopy } from "./operations/diskRoom.ts";
import { backendGauges } from "./operations/gauges.ts";
import type { Backend } from "./runtime/backend.ts";
import type { OperatorHost } from "./server/operatorApi.ts";

interface OperatorOptions {
  readonly db: EmbeddedDatabase;
  readonly backend: Backend;
  readonly dataDir: string;
  readonly metrics: CallMetrics;
  readonly version: string;
  readonly gaugesFunction: string | null;
  readonly load: () => { connections: number; liveQueries: number };
}

const ARCHIVE = /^\d+\.zip$/;

/**
 * `backup` and `requestExport` reject with an Error while either is running, or when they might fill the disk. A new
 * export replaces the previous one.
 */
export function operatorHost(options: OperatorOptions): OperatorHost {
  const { db, backend, dataDir } = options;
  const { deployment } = backend.runtime;
  const { blobs } = deployment.files;
  const exportsDir = path.join(dataDir, EXPORTS_FOLDER);
  let isBusy = false;
  /** One at a time, because each reads everything. */
  const alone = async <T>(body: () => Promise<T>): Promise<T> => {
    if (isBusy) throw new Error("A backup or an export is being made. Try again when it is done.");
    isBusy = true;
    try {
      return await body();
    } finally {
      isBusy = false;
    }
  };
  return {
    async metrics() {
      const gauges = await backendGauges(backend, options.load(), options.gaugesFunction);
      return options.metrics.render(gauges);
    },
    status: () => ({
      latestTs: String(db.latestTs),
      isReadOnly: db.isReadOnly,
      version: options.version,
    }),
    backup: (onProgress) =>
      alone(async () => {
        await assertRoomForCopy(dataDir);
        return backupDeployment({ db, blobs, dataDir }, newBackupFolder(dataDir), onProgress);
      }),
    requestExport: (includeFiles) =>
      alone(async () => {
        mkdirSync(exportsDir, { recursive: true, mode: 0o700 });
        // Anything else there is somebody's own, or the file system's (lost+found).
        const archives = readdirSync(exportsDir).filter((name) => ARCHIVE.test(name));
        for (const name of archives) rmSync(path.join(exportsDir, name));
        await assertRoomForCopy(dataDir);
        const startTs = db.durableTs;
        const target = path.join(exportsDir, `${startTs}.zip`);
        const { missing } = await exportDeployment({ db, blobs }, target, { includeFiles });
        deployment.latestExport = { startTs, completeTs: db.durableTs };
        return { startTs: String(startTs), missing };
      }),
    exportFile: (ts) => {
      const file = path.join(exportsDir, `${ts}.zip`);
      return ARCHIVE.test(`${ts}.zip`) && existsSync(file) ? file : null;
    },
  };
}
