import type { Endpoint, Snippet } from "../../../core/plugin.ts";

/** Code that creates a bucket, puts an object and reads it back. */
export function snippets({ url }: Endpoint): readonly Snippet[] {
  return [
    {
      title: "curl",
      lang: "sh",
      code: `curl -X PUT ${url}/uploads
printf 'Hello\\n' | curl -T - ${url}/uploads/hello.txt
curl ${url}/uploads/hello.txt`,
    },
    {
      title: "aws CLI",
      lang: "sh",
      code: `export AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any AWS_DEFAULT_REGION=us-east-1
aws --endpoint-url ${url} s3 mb s3://uploads
echo Hello | aws --endpoint-url ${url} s3 cp - s3://uploads/hello.txt
aws --endpoint-url ${url} s3 ls s3://uploads`,
    },
    {
      title: "@aws-sdk/client-s3",
      lang: "js",
      code: `import { CreateBucketCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";

const s3 = new S3Client({
  endpoint: "${url}",
  forcePathStyle: true,
  region: "us-east-1",
  credentials: { accessKeyId: "any", secretAccessKey: "any" },
});
await s3.send(new CreateBucketCommand({ Bucket: "uploads" }));
await s3.send(new PutObjectCommand({ Bucket: "uploads", Key: "hello.txt", Body: "Hello" }));`,
    },
    {
      title: "boto3",
      lang: "python",
      code: `import boto3
from botocore.config import Config

s3 = boto3.client(
    "s3",
    endpoint_url="${url}",
    region_name="us-east-1",
    aws_access_key_id="any",
    aws_secret_access_key="any",
    config=Config(s3={"addressing_style": "path"}),
)
s3.create_bucket(Bucket="uploads")
s3.put_object(Bucket="uploads", Key="hello.txt", Body=b"Hello")`,
    },
  ];
}
