/** Something that listens until it is stopped. */
export interface Server {
  readonly hostname: string;
  readonly port: number;
  /** Stops accepting, lets conversations finish, and cuts those that have not after `graceMs`. Never rejects. */
  stop(options: { graceMs: number }): Promise<void>;
}
