# What a process that locks needs, and no more. Attach it to its role.
data "aws_iam_policy_document" "locking" {
  statement {
    sid       = "LocksInDynamoDb"
    actions   = ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem", "dynamodb:Query", "dynamodb:Scan", "dynamodb:DescribeTable", "dynamodb:DescribeTimeToLive"]
    resources = [aws_dynamodb_table.locks.arn]
  }

  statement {
    sid       = "HistoryInDynamoDb"
    actions   = ["dynamodb:Query", "dynamodb:UpdateItem", "dynamodb:BatchWriteItem", "dynamodb:DescribeTable"]
    resources = [aws_dynamodb_table.events.arn]
  }

  statement {
    sid       = "DocumentsInDynamoDb"
    actions   = ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem", "dynamodb:ConditionCheckItem", "dynamodb:Query", "dynamodb:DescribeTable"]
    resources = [aws_dynamodb_table.documents.arn]
  }

  dynamic "statement" {
    for_each = var.listing_index ? ["${aws_dynamodb_table.locks.arn}/index/holdfast-namespace"] : []

    content {
      sid       = "ListingInDynamoDb"
      actions   = ["dynamodb:Query"]
      resources = [statement.value]
    }
  }

  statement {
    sid     = "ObjectsOfLocksAndState"
    actions = ["s3:GetObject", "s3:GetObjectVersion", "s3:PutObject", "s3:PutObjectTagging", "s3:DeleteObject"]
    resources = [
      for prefix in [var.locks_prefix, var.state_prefix, var.documents_prefix] : "${aws_s3_bucket.state.arn}/${prefix}*"
    ]
  }

  # Without it S3 answers 403 instead of 404 for an object that is not there.
  statement {
    sid       = "Listing"
    actions   = ["s3:ListBucket", "s3:ListBucketVersions"]
    resources = [aws_s3_bucket.state.arn]
  }

  dynamic "statement" {
    for_each = var.kms_key_arn == null ? [] : [var.kms_key_arn]

    content {
      sid       = "Key"
      actions   = ["kms:Decrypt", "kms:GenerateDataKey"]
      resources = [statement.value]
    }
  }
}
