/** Errors as S3 clients know them (Amazon S3 API reference, "Error responses"). */

/** Status of each code. */
const S3_STATUS = {
  AccessDenied: 403,
  AccessForbidden: 403,
  BadDigest: 400,
  BadRequest: 400,
  BucketAlreadyOwnedByYou: 409,
  BucketNotEmpty: 409,
  EntityTooLarge: 400,
  EntityTooSmall: 400,
  IllegalVersioningConfigurationException: 400,
  IncompleteBody: 400,
  InternalError: 500,
  InvalidArgument: 400,
  InvalidBucketName: 400,
  InvalidBucketOwnerAWSAccountID: 400,
  InvalidBucketState: 409,
  InvalidDigest: 400,
  InvalidEncryptionAlgorithmError: 400,
  InvalidLocationConstraint: 400,
  InvalidPart: 400,
  InvalidPartOrder: 400,
  InvalidPolicyDocument: 400,
  InvalidRange: 416,
  InvalidRedirectLocation: 400,
  InvalidRequest: 400,
  InvalidTag: 400,
  InvalidTargetBucketForLogging: 400,
  InvalidURI: 400,
  MalformedACLError: 400,
  MalformedPOSTRequest: 400,
  MalformedPolicy: 400,
  MalformedTrailerError: 400,
  MalformedXML: 400,
  MaxPostPreDataLengthExceeded: 400,
  MetadataTooLarge: 400,
  MethodNotAllowed: 405,
  MissingSecurityHeader: 400,
  NoSuchBucket: 404,
  NoSuchBucketPolicy: 404,
  NoSuchCORSConfiguration: 404,
  NoSuchKey: 404,
  NoSuchLifecycleConfiguration: 404,
  NoSuchObjectLockConfiguration: 404,
  NoSuchPublicAccessBlockConfiguration: 404,
  NoSuchTagSet: 404,
  NoSuchUpload: 404,
  NoSuchVersion: 404,
  NoSuchWebsiteConfiguration: 404,
  NotImplemented: 501,
  ObjectLockConfigurationNotFoundError: 404,
  OperationAborted: 409,
  OwnershipControlsNotFoundError: 404,
  PreconditionFailed: 412,
  ReplicationConfigurationNotFoundError: 404,
  RequestHeaderSectionTooLarge: 400,
  RequestTimeout: 400,
  ServerSideEncryptionConfigurationNotFoundError: 404,
  ServiceUnavailable: 503,
  SlowDown: 503,
  UnexpectedContent: 400,
  XAmzContentSHA256Mismatch: 400,
} as const;

/** A code that S3 clients know. */
export type S3Code = keyof typeof S3_STATUS;

/** A request that fails with this code and message. */
export class S3Error extends Error {
  override name = "S3Error";
  readonly code: S3Code;
  /** Header fields of the response. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: S3Code, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.headers = headers;
  }

  /** HTTP status of the code. */
  get status(): number {
    return S3_STATUS[this.code];
  }
}
