{{/* What all processes have in common. Each takes a dict: root, and name, the command of levy. */}}

{{- define "levy.name" -}}
{{ .root.Release.Name }}-{{ .name }}
{{- end }}

{{- define "levy.selector" -}}
app.kubernetes.io/name: levy
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{- define "levy.labels" -}}
{{ include "levy.selector" . }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "levy.image" -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag }}{{ end }}
{{- end }}

{{/* The processes that need the programs of PostgreSQL. */}}
{{- define "levy.isBackup" -}}
{{ if has .name (list "backup" "wal" "restore") }}yes{{ end }}
{{- end }}

{{/* The pod: no rights, secrets as files, and no way to write but in the scratch folder of a worker. */}}
{{- define "levy.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile: {type: RuntimeDefault}
volumes:
  - name: secrets
    projected:
      defaultMode: 0440
      sources:
        - secret: {name: {{ and (eq .name "worker") .root.Values.worker.secret | default .root.Values.secret }}}
        {{- if and (include "levy.isBackup" .) .root.Values.backup.secret }}
        - secret: {name: {{ .root.Values.backup.secret }}}
        {{- end }}
        {{- if eq .name "migrate" }}
        - secret: {name: {{ .root.Values.ownerSecret }}}
        {{- end }}
  {{- if eq .name "worker" }}
  - {name: scratch, emptyDir: {sizeLimit: 4Gi}} # published files while they are checked
  {{- end }}
  {{- if include "levy.isBackup" . }}
  - {name: scratch, emptyDir: {sizeLimit: {{ .root.Values.backup.scratch }}}} # the copy that is verified
  {{- with .root.Values.backup.claim }}
  - {name: backups, persistentVolumeClaim: {claimName: {{ . }}}}
  {{- end }}
  {{- end }}
  {{- if eq .name "restore" }}
  - {name: restored, persistentVolumeClaim: {claimName: {{ .root.Values.restore.claim }}}}
  {{- with .root.Values.keys.claim }}
  - {name: keys, persistentVolumeClaim: {claimName: {{ . }}, readOnly: true}}
  {{- end }}
  {{- end }}
{{- end }}

{{/* What each of the processes that need the programs of PostgreSQL is told. */}}
{{- define "levy.backupArgs" -}}
{{- $b := .root.Values.backup -}}
{{- if eq .name "backup" -}}
[backup, {{ $b.place | quote }}, --keep, {{ $b.keep | quote }}{{ if not $b.verify }}, --no-verify{{ end }}{{ if $b.incremental }}, --incremental{{ end }}]
{{- else if eq .name "wal" -}}
[backup, {{ $b.place | quote }}, --wal]
{{- else -}}
[restore, {{ $b.place | quote }}, /restored/data
{{- if .root.Values.restore.wal }}, --wal, {{ printf "%s/wal" (trimSuffix "/" $b.place) | quote }}{{ end }}
{{- if .root.Values.keys.claim }}, --keys, /keys/levy-keys.jsonl{{ end }}
{{- with .root.Values.restore.until }}, --until, {{ . | quote }}{{ end }}]
{{- end }}
{{- end }}

{{- define "levy.container" -}}
name: {{ .name }}
{{- if include "levy.isBackup" . }}
image: {{ include "levy.image" .root.Values.backup.image }}
args: {{ include "levy.backupArgs" . }}
{{- else }}
image: {{ include "levy.image" .root.Values.image }}
args: [{{ .name }}{{ if eq .name "keys" }}, save{{ end }}]
{{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
volumeMounts:
  - {name: secrets, mountPath: /run/secrets/levy, readOnly: true}
  {{- if eq .name "keys" }}
  - {name: keys, mountPath: /keys}
  {{- end }}
  {{- if or (eq .name "worker") (include "levy.isBackup" .) }}
  - {name: scratch, mountPath: /tmp}
  {{- end }}
  {{- if and (include "levy.isBackup" .) .root.Values.backup.claim }}
  - {name: backups, mountPath: /backups}
  {{- end }}
  {{- if eq .name "restore" }}
  - {name: restored, mountPath: /restored}
  {{- if .root.Values.keys.claim }}
  - {name: keys, mountPath: /keys, readOnly: true}
  {{- end }}
  {{- end }}
resources: {{ toYaml (get .root.Values (empty (include "levy.isBackup" .) | ternary .name "backup")).resources | nindent 2 }}
env:
  - name: LEVY_DATABASE_URL_FILE
    value: /run/secrets/levy/{{ if eq .name "migrate" }}owner-{{ end }}database-url
  - {name: LEVY_MASTER_KEYS_FILE, value: /run/secrets/levy/master-keys}
  - {name: LEVY_TEMPORAL_ADDRESS, value: {{ .root.Values.temporal.address | quote }}}
  - {name: LEVY_TEMPORAL_NAMESPACE, value: {{ .root.Values.temporal.namespace | quote }}}
  - {name: LEVY_HTTP_ADDR, value: "0.0.0.0:8080"}
  - {name: LEVY_PRIVATE_ADDR, value: "0.0.0.0:9180"}
  - {name: LEVY_DRAIN_DELAY, value: 5s}
  {{- if eq .name "keys" }}
  - {name: LEVY_KEYS_FOLDER, value: /keys}
  {{- end }}
  {{- if and (include "levy.isBackup" .) .root.Values.backup.secret }}
  - {name: LEVY_REPLICATION_URL_FILE, value: /run/secrets/levy/replication-url}
  {{- if hasPrefix "s3://" .root.Values.backup.place }}
  - {name: LEVY_S3_ACCESS_KEY_FILE, value: /run/secrets/levy/s3-access-key}
  - {name: LEVY_S3_SECRET_KEY_FILE, value: /run/secrets/levy/s3-secret-key}
  {{- end }}
  {{- end }}
{{- range $name, $value := .root.Values.settings }}
  - {name: {{ $name }}, value: {{ $value | quote }}}
{{- end }}
{{- end }}

{{/* A process that stays: replaced one by one, never the last one at once. */}}
{{- define "levy.process" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "levy.name" . }}
  labels: {{ include "levy.labels" . | nindent 4 }}
spec:
  replicas: {{ (get .root.Values .name).replicas }}
  strategy:
    rollingUpdate: {maxUnavailable: 0, maxSurge: 1}
  selector:
    matchLabels: {{ include "levy.selector" . | nindent 6 }}
  template:
    metadata:
      labels: {{ include "levy.labels" . | nindent 8 }}
      annotations:
        prometheus.io/scrape: "true"
        prometheus.io/port: "9180"
    spec: {{ include "levy.pod" . | nindent 6 }}
      terminationGracePeriodSeconds: 40
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{ include "levy.selector" . | nindent 14 }}
      containers:
        - {{ include "levy.container" . | nindent 10 | trim }}
          ports:
            {{- if eq .name "api" }}
            - {name: http, containerPort: 8080}
            {{- end }}
            - {name: private, containerPort: 9180}
          # While PostgreSQL is out of reach at the start, the process waits for it.
          startupProbe:
            httpGet: {path: /healthz, port: private}
            periodSeconds: 5
            failureThreshold: 60
          livenessProbe:
            httpGet: {path: /healthz, port: private}
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: {path: /readyz, port: private}
            periodSeconds: 3
            timeoutSeconds: 5
            failureThreshold: 2
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "levy.name" . }}
  labels: {{ include "levy.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{ include "levy.selector" . | nindent 6 }}
{{- end }}
