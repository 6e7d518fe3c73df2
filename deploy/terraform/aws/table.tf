# One item per lock, by namespace and name. TTL removes what has been idle for the retention: `expiry` is the end of the last hold
# while there is one, later afterwards, and absent for locks that never expire.
resource "aws_dynamodb_table" "locks" {
  name         = var.table_name
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "lockId"

  attribute {
    name = "lockId"
    type = "S"
  }

  # Only for the index: a table may not declare attributes that are no keys.
  dynamic "attribute" {
    for_each = var.listing_index ? ["namespace", "lockName"] : []

    content {
      name = attribute.value
      type = "S"
    }
  }

  dynamic "global_secondary_index" {
    for_each = var.listing_index ? ["holdfast-namespace"] : []

    content {
      name            = global_secondary_index.value
      hash_key        = "namespace"
      range_key       = "lockName"
      projection_type = "ALL"
    }
  }

  ttl {
    attribute_name = "expiry"
    enabled        = true
  }

  point_in_time_recovery {
    enabled = true
  }

  server_side_encryption {
    enabled     = var.kms_key_arn != null
    kms_key_arn = var.kms_key_arn
  }

  deletion_protection_enabled = true

  tags = var.tags
}

# The history of the locks: one partition, in the order of numbers. The store keeps none if this table is missing.
resource "aws_dynamodb_table" "events" {
  name         = "${var.table_name}-events"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "log"
  range_key    = "number"

  attribute {
    name = "log"
    type = "S"
  }

  attribute {
    name = "number"
    type = "N"
  }

  ttl {
    attribute_name = "expiry"
    enabled        = true
  }

  point_in_time_recovery {
    enabled = true
  }

  server_side_encryption {
    enabled     = var.kms_key_arn != null
    kms_key_arn = var.kms_key_arn
  }

  deletion_protection_enabled = true

  tags = var.tags
}

# Documents of the guard. State is too large for items: it is kept in the bucket, or in files.
resource "aws_dynamodb_table" "documents" {
  name         = "${var.table_name}-documents"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "part"
  range_key    = "name"

  attribute {
    name = "part"
    type = "S"
  }

  attribute {
    name = "name"
    type = "S"
  }

  point_in_time_recovery {
    enabled = true
  }

  server_side_encryption {
    enabled     = var.kms_key_arn != null
    kms_key_arn = var.kms_key_arn
  }

  deletion_protection_enabled = true

  tags = var.tags
}
