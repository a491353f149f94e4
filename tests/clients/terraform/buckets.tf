variable "url" { type = string }
terraform {
  required_providers { aws = { source = "hashicorp/aws" } }
}
provider "aws" {
  region                      = "us-east-1"
  access_key                  = "any"
  secret_key                  = "any"
  s3_use_path_style           = true
  skip_credentials_validation = true
  skip_requesting_account_id  = true
  endpoints { s3 = var.url }
}
resource "aws_s3_bucket" "box" {
  bucket              = "provided"
  force_destroy       = true
  tags                = { kind = "a b" }
  object_lock_enabled = true
}
resource "aws_s3_bucket" "logs" { bucket = "provided-logs" }
resource "aws_s3_bucket_versioning" "box" {
  bucket = aws_s3_bucket.box.id
  versioning_configuration { status = "Enabled" }
}
resource "aws_s3_bucket_lifecycle_configuration" "box" {
  bucket = aws_s3_bucket.box.id
  rule {
    id     = "old"
    status = "Enabled"
    filter { prefix = "tmp/" }
    expiration { days = 3 }
    noncurrent_version_expiration { noncurrent_days = 5 }
    abort_incomplete_multipart_upload { days_after_initiation = 2 }
  }
  rule {
    id     = "cold"
    status = "Enabled"
    filter {
      and {
        prefix                   = "big/"
        object_size_greater_than = 1000
        tags                     = { a = "b", c = "d" }
      }
    }
    transition {
      days          = 30
      storage_class = "GLACIER"
    }
  }
}
resource "aws_s3_bucket_cors_configuration" "box" {
  bucket = aws_s3_bucket.box.id
  cors_rule {
    allowed_methods = ["PUT", "POST"]
    allowed_origins = ["https://app.example"]
    allowed_headers = ["*"]
    expose_headers  = ["ETag"]
    max_age_seconds = 30
  }
}
resource "aws_s3_bucket_server_side_encryption_configuration" "box" {
  bucket = aws_s3_bucket.box.id
  rule {
    apply_server_side_encryption_by_default {
      sse_algorithm     = "aws:kms"
      kms_master_key_id = "arn:aws:kms:us-east-1:123456789012:key/one"
    }
    bucket_key_enabled = true
  }
}
resource "aws_s3_bucket_policy" "box" {
  bucket = aws_s3_bucket.box.id
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Sid = "read", Effect = "Allow", Principal = "*", Action = "s3:GetObject", Resource = "${aws_s3_bucket.box.arn}/*" }]
  })
}
resource "aws_s3_bucket_public_access_block" "box" {
  bucket             = aws_s3_bucket.box.id
  block_public_acls  = true
  ignore_public_acls = true
}
resource "aws_s3_bucket_ownership_controls" "box" {
  bucket = aws_s3_bucket.box.id
  rule { object_ownership = "BucketOwnerPreferred" }
}
resource "aws_s3_bucket_acl" "box" {
  depends_on = [aws_s3_bucket_ownership_controls.box]
  bucket     = aws_s3_bucket.box.id
  acl        = "private"
}
resource "aws_s3_bucket_website_configuration" "box" {
  bucket = aws_s3_bucket.box.id
  index_document { suffix = "index.html" }
  error_document { key = "error.html" }
  routing_rule {
    condition { key_prefix_equals = "docs/" }
    redirect { replace_key_prefix_with = "documents/" }
  }
}
resource "aws_s3_bucket_logging" "box" {
  bucket        = aws_s3_bucket.box.id
  target_bucket = aws_s3_bucket.logs.id
  target_prefix = "log/"
  target_grant {
    permission = "READ"
    grantee {
      type = "Group"
      uri  = "http://acs.amazonaws.com/groups/s3/LogDelivery"
    }
  }
}
resource "aws_s3_bucket_notification" "box" {
  bucket = aws_s3_bucket.box.id
  queue {
    queue_arn     = "arn:aws:sqs:us-east-1:123456789012:images"
    events        = ["s3:ObjectCreated:*"]
    filter_prefix = "in/"
  }
}
resource "aws_s3_bucket_accelerate_configuration" "box" {
  bucket = aws_s3_bucket.box.id
  status = "Enabled"
}
resource "aws_s3_bucket_request_payment_configuration" "box" {
  bucket = aws_s3_bucket.box.id
  payer  = "Requester"
}
resource "aws_s3_bucket_object_lock_configuration" "box" {
  bucket = aws_s3_bucket.box.id
  rule {
    default_retention {
      mode = "GOVERNANCE"
      days = 1
    }
  }
}
resource "aws_s3_object" "one" {
  depends_on             = [aws_s3_bucket_versioning.box]
  bucket                 = aws_s3_bucket.logs.id
  key                    = "dir/one"
  content                = "Hello"
  content_type           = "text/plain"
  tags                   = { colour = "dark blue" }
  metadata               = { who = "tf" }
  storage_class          = "STANDARD_IA"
  server_side_encryption = "AES256"
}
data "aws_s3_object" "one" {
  bucket = aws_s3_object.one.bucket
  key    = aws_s3_object.one.key
}
data "aws_s3_bucket" "box" { bucket = aws_s3_bucket.box.bucket }
data "aws_s3_objects" "all" {
  bucket     = aws_s3_bucket.logs.bucket
  depends_on = [aws_s3_object.one]
}
resource "aws_s3_object" "locked" {
  depends_on    = [aws_s3_bucket_object_lock_configuration.box]
  bucket        = aws_s3_bucket.box.id
  key           = "locked"
  content       = "under retention"
  force_destroy = true
  # The bucket's default retention gives it both.
  lifecycle {
    ignore_changes = [object_lock_mode, object_lock_retain_until_date]
  }
}

output "seen" {
  value = {
    body   = data.aws_s3_object.one.body
    keys   = data.aws_s3_objects.all.keys
    region = data.aws_s3_bucket.box.region
  }
}
