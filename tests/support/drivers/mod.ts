/** Every protocol of the files plugin, for what must hold of all of them. */
import type { Driver } from "./driver.ts";
import { ftpDriver } from "./ftp.ts";
import { nfsDriver } from "./nfs.ts";
import { sftpDriver } from "./sftp.ts";
import { tftpDriver } from "./tftp.ts";

/** Drivers in the order in which the plugin has its providers. */
export const DRIVERS: readonly Driver[] = [ftpDriver, sftpDriver, tftpDriver, nfsDriver];
