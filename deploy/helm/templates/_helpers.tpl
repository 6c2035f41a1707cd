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
        {{- if eq .name "migrate" }}
        - secret: {name: {{ .root.Values.ownerSecret }}}
        {{- end }}
  {{- if eq .name "worker" }}
  - {name: scratch, emptyDir: {sizeLimit: 4Gi}} # published files while they are checked
  {{- end }}
{{- end }}

{{- define "levy.container" -}}
name: {{ .name }}
image: {{ include "levy.image" .root.Values.image }}
args: [{{ .name }}{{ if eq .name "keys" }}, save{{ end }}]
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
volumeMounts:
  - {name: secrets, mountPath: /run/secrets/levy, readOnly: true}
  {{- if eq .name "keys" }}
  - {name: keys, mountPath: /keys}
  {{- end }}
  {{- if eq .name "worker" }}
  - {name: scratch, mountPath: /tmp}
  {{- end }}
resources: {{ toYaml (get .root.Values .name).resources | nindent 2 }}
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
