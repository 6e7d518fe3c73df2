output "dynamodb_store" {
  description = "The store URL for locks in the table."
  value       = "dynamodb://${split(":", aws_dynamodb_table.locks.arn)[3]}/${aws_dynamodb_table.locks.name}"
}

output "s3_store" {
  description = "The store URL for locks in the bucket."
  value       = "s3://${aws_s3_bucket.state.bucket}/${trimsuffix(var.locks_prefix, "/")}?region=${aws_s3_bucket.state.region}"
}

output "state_store" {
  description = "The URL for state at the root of the bucket: state.store of a server, --state-store of a command."
  value       = "s3://${aws_s3_bucket.state.bucket}/?prefix=${trimsuffix(trimsuffix(var.state_prefix, "stacks/"), "/")}&region=${aws_s3_bucket.state.region}"
}

output "bucket_arn" {
  description = "The bucket."
  value       = aws_s3_bucket.state.arn
}

output "table_arn" {
  description = "The table."
  value       = aws_dynamodb_table.locks.arn
}

output "events_table_arn" {
  description = "The table of the locks' history."
  value       = aws_dynamodb_table.events.arn
}

output "documents_table_arn" {
  description = "The table of the guard's documents."
  value       = aws_dynamodb_table.documents.arn
}

output "policy_json" {
  description = "The IAM policy of a process that locks."
  value       = data.aws_iam_policy_document.locking.json
}
