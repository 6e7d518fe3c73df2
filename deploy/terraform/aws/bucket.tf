resource "aws_s3_bucket" "state" {
  bucket = var.bucket_name
  tags   = var.tags

  lifecycle {
    prevent_destroy = true
  }
}

resource "aws_s3_bucket_versioning" "state" {
  bucket = aws_s3_bucket.state.id

  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_s3_bucket_server_side_encryption_configuration" "state" {
  bucket = aws_s3_bucket.state.id

  rule {
    bucket_key_enabled = var.kms_key_arn != null

    apply_server_side_encryption_by_default {
      sse_algorithm     = var.kms_key_arn == null ? "AES256" : "aws:kms"
      kms_master_key_id = var.kms_key_arn
    }
  }
}

resource "aws_s3_bucket_public_access_block" "state" {
  bucket = aws_s3_bucket.state.id

  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_lifecycle_configuration" "state" {
  bucket = aws_s3_bucket.state.id

  # Noncurrent versions exist only where versioning does.
  depends_on = [aws_s3_bucket_versioning.state]

  rule {
    id     = "old-versions-of-state"
    status = "Enabled"

    filter {
      prefix = var.state_prefix
    }

    noncurrent_version_expiration {
      noncurrent_days = var.history_days
    }
  }

  # The readable copies of history, stacks/<stack>/<environment>/history/, are known by their tag: a prefix takes no *. What Holdfast
  # itself reads is below .documents/, and removed by its own retention, which keeps the last good version however old it is.
  rule {
    id     = "old-history"
    status = "Enabled"

    filter {
      tag {
        key   = "holdfast"
        value = "history"
      }
    }

    expiration {
      days = var.history_days
    }

    noncurrent_version_expiration {
      noncurrent_days = 1
    }
  }

  # Every save replaces what says which version is current.
  rule {
    id     = "old-versions-of-documents"
    status = "Enabled"

    filter {
      prefix = var.documents_prefix
    }

    noncurrent_version_expiration {
      noncurrent_days = var.history_days
    }
  }

  # Every renewal of a lock leaves a version behind, and nobody needs them.
  rule {
    id     = "old-versions-of-locks"
    status = "Enabled"

    filter {
      prefix = var.locks_prefix
    }

    noncurrent_version_expiration {
      noncurrent_days = 1
    }
  }

  # In the whole bucket: what is left of deleted objects, and of uploads that were never finished.
  rule {
    id     = "leftovers"
    status = "Enabled"

    filter {}

    expiration {
      expired_object_delete_marker = true
    }

    abort_incomplete_multipart_upload {
      days_after_initiation = 7
    }
  }
}
