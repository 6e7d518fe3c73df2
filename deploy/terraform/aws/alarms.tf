# Metric names are those of docs/OBSERVABILITY.md. A CloudWatch agent that scrapes /metrics brings them here, renamed from
# deployer_lock_… to deployer.lock.…, counters as differences.

resource "aws_cloudwatch_metric_alarm" "stale_locks" {
  alarm_name          = "deployer-stale-locks"
  alarm_description   = "A deployment lock has not been renewed for suspiciously long."
  namespace           = var.metrics_namespace
  metric_name         = "deployer.lock.stale.detected"
  dimensions          = var.metrics_dimensions
  statistic           = "Sum"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  period              = 300
  evaluation_periods  = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arns
  tags                = var.tags
}

resource "aws_cloudwatch_metric_alarm" "lock_contention" {
  alarm_name          = "deployer-high-lock-contention"
  alarm_description   = "More than ten attempts to take a deployment lock failed in five minutes, twice in a row."
  namespace           = var.metrics_namespace
  metric_name         = "deployer.lock.acquisition.failure"
  dimensions          = var.metrics_dimensions
  statistic           = "Sum"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 10
  period              = 300
  evaluation_periods  = 2
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arns
  tags                = var.tags
}
