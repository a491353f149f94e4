/** A server certificate with its key, PEM. */
export interface Certificate {
  /** The leaf, followed by the CA that signed it if it is one of ours. */
  readonly cert: string;
  /** PKCS #8. */
  readonly key: string;
  /** CA to trust, if the certificate was made here. */
  readonly ca?: string;
}

/** Where the service's certificate comes from. */
export interface TlsIdentity {
  /** Made or read on first use. Rejects with `ConfigError` when files cannot be used. */
  certificate(): Promise<Certificate>;
}
