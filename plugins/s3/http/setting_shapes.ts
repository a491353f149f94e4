/** Shapes of the documents of settings (Amazon S3 API reference). */
import type { Part, Shape } from "./shapes.ts";

const WHOLE: Part = { text: /^\d{1,9}$/ };
const LONG: Part = { text: /^\d{1,15}$/ };
const TRUTH: Part = { words: ["true", "false", "TRUE", "FALSE"] };
const ID: Part = { text: /^.{0,255}$/s };

/** Who gets a permission. */
export const GRANTEE: Part = {
  required: true,
  in: { ID: {}, DisplayName: {}, URI: {}, EmailAddress: {} },
  types: ["CanonicalUser", "AmazonCustomerByEmail", "Group"],
};

const TAG: Part = { in: { Key: { required: true }, Value: { required: true } } };
const SIZES: Shape = { ObjectSizeGreaterThan: LONG, ObjectSizeLessThan: LONG };
const CLASS: Part = {
  required: true,
  words: [
    "GLACIER",
    "STANDARD_IA",
    "ONEZONE_IA",
    "INTELLIGENT_TIERING",
    "DEEP_ARCHIVE",
    "GLACIER_IR",
  ],
};

/** Which small objects change their class without a filter by size. */
export const MINIMUM_SIZES = ["all_storage_classes_128K", "varies_by_storage_class"] as const;

/** LifecycleConfiguration. */
export const LIFECYCLE: Shape = {
  Rule: {
    required: true,
    most: 1000,
    in: {
      // Its length has an error of another code.
      ID: {},
      Prefix: {},
      Filter: {
        single: true,
        in: {
          Prefix: {},
          Tag: TAG,
          ...SIZES,
          And: { in: { Prefix: {}, Tag: { ...TAG, most: 10 }, ...SIZES } },
        },
      },
      Status: { required: true, words: ["Enabled", "Disabled"] },
      Expiration: { in: { Date: {}, Days: WHOLE, ExpiredObjectDeleteMarker: TRUTH } },
      Transition: { most: 100, in: { Date: {}, Days: WHOLE, StorageClass: CLASS } },
      NoncurrentVersionTransition: {
        most: 100,
        in: { NoncurrentDays: WHOLE, NewerNoncurrentVersions: WHOLE, StorageClass: CLASS },
      },
      NoncurrentVersionExpiration: {
        in: { NoncurrentDays: WHOLE, NewerNoncurrentVersions: WHOLE },
      },
      AbortIncompleteMultipartUpload: { in: { DaysAfterInitiation: { ...WHOLE, required: true } } },
    },
  },
};

const EVENTS = [
  "s3:IntelligentTiering",
  "s3:LifecycleExpiration:*",
  "s3:LifecycleExpiration:Delete",
  "s3:LifecycleExpiration:DeleteMarkerCreated",
  "s3:LifecycleTransition",
  "s3:ObjectAcl:Put",
  "s3:ObjectCreated:*",
  "s3:ObjectCreated:CompleteMultipartUpload",
  "s3:ObjectCreated:Copy",
  "s3:ObjectCreated:Post",
  "s3:ObjectCreated:Put",
  "s3:ObjectRemoved:*",
  "s3:ObjectRemoved:Delete",
  "s3:ObjectRemoved:DeleteMarkerCreated",
  "s3:ObjectRestore:*",
  "s3:ObjectRestore:Completed",
  "s3:ObjectRestore:Delete",
  "s3:ObjectRestore:Post",
  "s3:ObjectTagging:*",
  "s3:ObjectTagging:Delete",
  "s3:ObjectTagging:Put",
  "s3:ReducedRedundancyLostObject",
  "s3:Replication:*",
  "s3:Replication:OperationFailedReplication",
  "s3:Replication:OperationMissedThreshold",
  "s3:Replication:OperationNotTracked",
  "s3:Replication:OperationReplicatedAfterThreshold",
];

/** MinIO has an ID and a type after the region: `arn:minio:sqs::ID:webhook`. */
const ARN = /^arn:(minio:sqs:[^:]*:[^:]+:[^:]+|(?!minio:)[^:]+:(sns|sqs|lambda):[^:]*:\d*:.+)$/;

/** One kind of receiver; the element with its ARN has the same name. */
function receiver(name: string): Part {
  const rule = { Name: { words: ["prefix", "suffix", "Prefix", "Suffix"] }, Value: {} };
  return {
    most: 100,
    in: {
      Id: ID,
      [name]: { required: true, text: ARN },
      Event: { required: true, most: 100, words: EVENTS },
      Filter: { in: { S3Key: { in: { FilterRule: { most: 2, in: rule } } } } },
    },
  };
}

/** NotificationConfiguration. */
export const NOTIFICATION: Shape = {
  TopicConfiguration: receiver("Topic"),
  QueueConfiguration: receiver("Queue"),
  CloudFunctionConfiguration: receiver("CloudFunction"),
  EventBridgeConfiguration: { in: {} },
};

/** ServerSideEncryptionConfiguration. */
export const ENCRYPTION: Shape = {
  Rule: {
    required: true,
    in: {
      ApplyServerSideEncryptionByDefault: {
        in: {
          SSEAlgorithm: { required: true, words: ["AES256", "aws:fsx", "aws:kms", "aws:kms:dsse"] },
          KMSMasterKeyID: {},
        },
      },
      BucketKeyEnabled: TRUTH,
      BlockedEncryptionTypes: {
        in: { EncryptionType: { most: 2, words: ["NONE", "SSE-C"] } },
      },
    },
  },
};

const PROTOCOL: Part = { words: ["http", "https"] };

/** WebsiteConfiguration. */
export const WEBSITE: Shape = {
  ErrorDocument: { in: { Key: { required: true, text: /./s } } },
  IndexDocument: { in: { Suffix: { required: true, text: /^[^/]+$/ } } },
  RedirectAllRequestsTo: { in: { HostName: { required: true }, Protocol: PROTOCOL } },
  RoutingRules: {
    in: {
      RoutingRule: {
        most: 50,
        in: {
          Condition: { in: { HttpErrorCodeReturnedEquals: WHOLE, KeyPrefixEquals: {} } },
          Redirect: {
            required: true,
            in: {
              HostName: {},
              HttpRedirectCode: { text: /^3\d\d$/ },
              Protocol: PROTOCOL,
              ReplaceKeyPrefixWith: {},
              ReplaceKeyWith: {},
            },
          },
        },
      },
    },
  },
};

/** OwnershipControls. */
export const OWNERSHIP: Shape = {
  Rule: {
    required: true,
    in: {
      ObjectOwnership: {
        required: true,
        words: ["BucketOwnerPreferred", "ObjectWriter", "BucketOwnerEnforced"],
      },
    },
  },
};

/** PublicAccessBlockConfiguration. */
export const PUBLIC_ACCESS: Shape = {
  BlockPublicAcls: TRUTH,
  IgnorePublicAcls: TRUTH,
  BlockPublicPolicy: TRUTH,
  RestrictPublicBuckets: TRUTH,
};

/** AccelerateConfiguration. */
export const ACCELERATION: Shape = {
  Status: { required: true, words: ["Enabled", "Suspended"] },
};

/** RequestPaymentConfiguration. */
export const REQUEST_PAYMENT: Shape = {
  Payer: { required: true, words: ["Requester", "BucketOwner"] },
};

/** BucketLoggingStatus. */
export const LOGGING: Shape = {
  LoggingEnabled: {
    in: {
      TargetBucket: { required: true, text: /./s },
      TargetPrefix: { required: true },
      TargetGrants: {
        in: {
          Grant: {
            most: 100,
            in: {
              Grantee: GRANTEE,
              Permission: { words: ["FULL_CONTROL", "READ", "WRITE"] },
            },
          },
        },
      },
      TargetObjectKeyFormat: {
        in: {
          SimplePrefix: { in: {} },
          PartitionedPrefix: {
            in: { PartitionDateSource: { words: ["EventTime", "DeliveryTime"] } },
          },
        },
      },
    },
  },
};

const STATUS: Part = { required: true, words: ["Enabled", "Disabled"] };
const SWITCH: Part = { in: { Status: STATUS } };
const TIMED: Part = {
  in: {
    Status: STATUS,
    Time: { in: { Minutes: WHOLE } },
    EventThreshold: { in: { Minutes: WHOLE } },
  },
};

/** ReplicationConfiguration. */
export const REPLICATION: Shape = {
  Role: { required: true, text: /./s },
  Rule: {
    required: true,
    most: 1000,
    in: {
      ID,
      Priority: WHOLE,
      Prefix: {},
      Filter: {
        single: true,
        in: { Prefix: {}, Tag: TAG, And: { in: { Prefix: {}, Tag: { ...TAG, most: 10 } } } },
      },
      Status: STATUS,
      SourceSelectionCriteria: {
        in: { SseKmsEncryptedObjects: SWITCH, ReplicaModifications: SWITCH },
      },
      ExistingObjectReplication: SWITCH,
      DeleteMarkerReplication: SWITCH,
      Destination: {
        required: true,
        in: {
          Bucket: { required: true, text: /^arn:[^:]+:s3:::.+$/ },
          Account: { text: /^\d{12}$/ },
          StorageClass: {
            words: ["STANDARD", "REDUCED_REDUNDANCY", ...CLASS.words ?? []],
          },
          AccessControlTranslation: { in: { Owner: { required: true, words: ["Destination"] } } },
          EncryptionConfiguration: { in: { ReplicaKmsKeyID: {} } },
          ReplicationTime: TIMED,
          Metrics: TIMED,
        },
      },
    },
  },
};
