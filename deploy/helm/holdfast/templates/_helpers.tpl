{{/* The name of everything; that of the release, with the chart's unless it is in it already. */}}
{{- define "holdfast.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* By which the pods are found. */}}
{{- define "holdfast.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "holdfast.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{ include "holdfast.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "holdfast.image" -}}
{{- $named := printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" $named .Values.image.digest -}}
{{- else -}}
{{- $named -}}
{{- end -}}
{{- end -}}

{{- define "holdfast.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (ternary (include "holdfast.name" .) "default" .Values.serviceAccount.create) -}}
{{- end -}}

{{/* The Secret with the URL of the store. */}}
{{- define "holdfast.storeSecret" -}}
{{- if .Values.store.url -}}
{{- printf "%s-store" (include "holdfast.name" .) -}}
{{- else -}}
{{- required "Set store.existingSecret to a Secret with the URL of the store, or store.url" .Values.store.existingSecret -}}
{{- end -}}
{{- end -}}

{{/* The ConfigMap with holdfast.yaml. The server would not start without one: it is reachable, and nothing says who may call. */}}
{{- define "holdfast.configMap" -}}
{{- if .Values.existingConfigMap -}}
{{- .Values.existingConfigMap -}}
{{- else -}}
{{- if not .Values.config -}}
{{- fail "Set config to what is to be in holdfast.yaml. It must say who may call, such as auth.tokens or jwt (docs/SECURITY.md). Or name a ConfigMap in existingConfigMap" -}}
{{- end -}}
{{- include "holdfast.name" . -}}
{{- end -}}
{{- end -}}

{{- define "holdfast.scheme" -}}
{{- ternary "HTTPS" "HTTP" (ne .Values.tls.existingSecret "") -}}
{{- end -}}
