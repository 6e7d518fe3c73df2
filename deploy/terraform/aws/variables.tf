variable "bucket_name" {
  description = "The bucket for deployment state, its history, and locks in S3. Bucket names are unique in the world."
  type        = string
}

variable "table_name" {
  description = "The table for locks in DynamoDB."
  type        = string
  default     = "deployer-state-locks"
}

variable "listing_index" {
  description = "Whether the table of locks has an index by namespace, from which listings of one namespace are read. It costs a second write unit for every write."
  type        = bool
  default     = false
}

variable "state_prefix" {
  description = "What the keys of state begin with: stacks/ below the prefix of state.store, which is the root of the bucket for s3://bucket/?prefix=."
  type        = string
  default     = "stacks/"

  validation {
    condition     = endswith(var.state_prefix, "/") && !strcontains(var.state_prefix, "*")
    error_message = "A prefix ends in / and is taken literally: it has no *."
  }
}

variable "documents_prefix" {
  description = "What the keys begin with that decide which version of a document is current: .documents/ below the prefix of state.store."
  type        = string
  default     = ".documents/"

  validation {
    condition     = endswith(var.documents_prefix, "/") && !strcontains(var.documents_prefix, "*")
    error_message = "A prefix ends in / and is taken literally: it has no *."
  }
}

variable "locks_prefix" {
  description = "What the keys of locks begin with: the prefix in s3://bucket/prefix."
  type        = string
  default     = "locks/"

  validation {
    condition     = endswith(var.locks_prefix, "/") && !strcontains(var.locks_prefix, "*")
    error_message = "A prefix ends in / and is taken literally: it has no *."
  }
}

variable "history_days" {
  description = "How long history entries and old versions of state are kept."
  type        = number
  default     = 90
}

variable "kms_key_arn" {
  description = "A key of KMS to encrypt with; null for the keys of S3 and DynamoDB."
  type        = string
  default     = null
}

variable "alarm_topic_arns" {
  description = "The SNS topics that are told of alarms."
  type        = list(string)
  default     = []
}

variable "metrics_namespace" {
  description = "The CloudWatch namespace that the metrics are published in."
  type        = string
  default     = "Deployer"
}

variable "metrics_dimensions" {
  description = "Dimensions of the published metrics, such as { Stack = \"shop\" }. An alarm sees only the series with exactly these."
  type        = map(string)
  default     = {}
}

variable "tags" {
  description = "Tags of everything."
  type        = map(string)
  default     = { ManagedBy = "terraform" }
}
