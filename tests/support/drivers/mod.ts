/** Every protocol of the files plugin, for shared tests. */
import type { Driver } from "./driver.ts";
import { ftpDriver } from "./ftp.ts";
import { nfsDriver } from "./nfs.ts";
import { sftpDriver } from "./sftp.ts";
import { tftpDriver } from "./tftp.ts";

/** Drivers in the order of the plugin's providers. */
export const DRIVERS: readonly Driver[] = [ftpDriver, sftpDriver, tftpDriver, nfsDriver];
