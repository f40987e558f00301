/** Signals that stop a process in order: Ctrl-C, a service manager, and a terminal that is closed. */
export const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
