# The two alarms on the deployer's metrics, for CloudWatch. Metric names and dimensions are those of docs/OBSERVABILITY.md. Bring the
# metrics there with a CloudWatch agent that scrapes /metrics into the namespace "Deployer", and renames deployer_lock_… to
# deployer.lock.…; counters are published as differences (the agent's default for Prometheus counters).

terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

variable "alarm_topic_arn" {
  description = "The SNS topic that is told."
  type        = string
}

resource "aws_cloudwatch_metric_alarm" "stale_locks" {
  alarm_name          = "deployer-stale-locks"
  alarm_description   = "A deployment lock has not been renewed for suspiciously long."
  namespace           = "Deployer"
  metric_name         = "deployer.lock.stale.detected"
  statistic           = "Sum"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  period              = 300
  evaluation_periods  = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = [var.alarm_topic_arn]
}

resource "aws_cloudwatch_metric_alarm" "lock_contention" {
  alarm_name          = "deployer-high-lock-contention"
  alarm_description   = "More than ten attempts to take a deployment lock failed in five minutes, twice in a row."
  namespace           = "Deployer"
  metric_name         = "deployer.lock.acquisition.failure"
  statistic           = "Sum"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 10
  period              = 300
  evaluation_periods  = 2
  treat_missing_data  = "notBreaching"
  alarm_actions       = [var.alarm_topic_arn]
}
