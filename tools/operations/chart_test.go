// Package operations checks the files for operators with the tools and types that read them.
package operations

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/v2/lint"
	"helm.sh/helm/v4/pkg/chart/v2/lint/support"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/engine"
	"helm.sh/helm/v4/pkg/strvals"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"
)

const folder = "../../deploy/helm"

// values are those of testdata, with some set as `helm --set` does.
func values(t *testing.T, set ...string) map[string]any {
	t.Helper()
	content, err := os.ReadFile("testdata/values.yaml")
	require.NoError(t, err)
	found := map[string]any{}
	require.NoError(t, yaml.Unmarshal(content, &found))
	for _, value := range set {
		require.NoError(t, strvals.ParseInto(value, found))
	}
	return found
}

// render is the output of Helm for the chart.
func render(t *testing.T, given map[string]any) ([]runtime.Object, error) {
	t.Helper()
	chart, err := loader.Load(folder)
	require.NoError(t, err)
	all, err := util.ToRenderValues(chart, given,
		common.ReleaseOptions{Name: "levy", Namespace: "default", Revision: 3, IsInstall: true}, nil)
	if err != nil {
		return nil, err
	}
	files, err := engine.Render(chart, all)
	require.NoError(t, err)
	// Strict: a field that Kubernetes does not have, or has twice, is an error.
	decode := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	var objects []runtime.Object
	for name, file := range files {
		if !strings.HasSuffix(name, ".yaml") {
			continue
		}
		for document := range strings.SplitSeq(file, "\n---\n") {
			if strings.TrimSpace(document) == "" {
				continue // Helm leaves it out
			}
			object, _, err := decode.Decode([]byte(document), nil, nil)
			require.NoError(t, err, document)
			objects = append(objects, object)
		}
	}
	return objects, nil
}

// Kubernetes accepts the output of the chart: each process has limits, no rights, a readiness probe, and its secrets
// as files; only the migration has those of the owner of the tables.
func TestTheChart(t *testing.T) {
	linted := lint.RunAll(folder, values(t), "default")
	require.LessOrEqual(t, linted.HighestSeverity, support.InfoSev, linted.Messages)
	objects, err := render(t, values(t))
	require.NoError(t, err)
	pods := map[string]corev1.PodSpec{}
	budgets := map[string]int{}
	var permitted []string
	for _, object := range objects {
		switch o := object.(type) {
		case *appsv1.Deployment:
			pods[o.Name] = o.Spec.Template.Spec
			require.EqualValues(t, 2, *o.Spec.Replicas)
			require.Zero(t, o.Spec.Strategy.RollingUpdate.MaxUnavailable.IntValue())
			require.Equal(t, o.Spec.Selector.MatchLabels["app.kubernetes.io/component"],
				o.Spec.Template.Labels["app.kubernetes.io/component"])
			container := o.Spec.Template.Spec.Containers[0]
			require.Equal(t, "/readyz", container.ReadinessProbe.HTTPGet.Path)
			require.Equal(t, "/healthz", container.LivenessProbe.HTTPGet.Path)
			require.Equal(t, "/healthz", container.StartupProbe.HTTPGet.Path)
			for _, probe := range []*corev1.Probe{container.ReadinessProbe, container.LivenessProbe, container.StartupProbe} {
				require.Equal(t, "private", probe.HTTPGet.Port.StrVal)
			}
		case *batchv1.Job:
			pods[o.Name] = o.Spec.Template.Spec
			require.Equal(t, "pre-install,pre-upgrade", o.Annotations["helm.sh/hook"])
		case *batchv1.CronJob:
			pod := o.Spec.JobTemplate.Spec.Template.Spec
			pods[o.Name] = pod
			require.Equal(t, batchv1.ForbidConcurrent, o.Spec.ConcurrencyPolicy)
			require.Equal(t, "levy-keys", pod.Volumes[1].PersistentVolumeClaim.ClaimName)
			require.Equal(t, "/keys", pod.Containers[0].VolumeMounts[1].MountPath)
		case *policyv1.PodDisruptionBudget:
			budgets[o.Spec.Selector.MatchLabels["app.kubernetes.io/component"]] = o.Spec.MaxUnavailable.IntValue()
		case *networkingv1.NetworkPolicy:
			permitted = append(permitted, o.Name)
		case *corev1.Service:
			require.Len(t, o.Spec.Ports, 1, "the private port is for the operator")
			require.Equal(t, "http", o.Spec.Ports[0].TargetPort.StrVal)
		default:
			require.Failf(t, "unexpected", "%T", object)
		}
	}
	require.Equal(t, map[string]int{"api": 1, "worker": 1}, budgets)
	require.Len(t, pods, 4)
	require.ElementsMatch(t, slices.Collect(maps.Keys(pods)), permitted)
	for name, pod := range pods {
		require.False(t, *pod.AutomountServiceAccountToken, name)
		require.True(t, *pod.SecurityContext.RunAsNonRoot, name)
		container := pod.Containers[0]
		command := []string{strings.TrimPrefix(name, "levy-")}
		if name == "levy-keys" {
			command = []string{"keys", "save"}
		}
		require.Equal(t, command, container.Args)
		require.Contains(t, container.Image, "@sha256:", name)
		require.EqualValues(t, 512<<20, container.Resources.Limits.Memory().Value(), name)
		require.True(t, *container.SecurityContext.ReadOnlyRootFilesystem, name)
		require.False(t, *container.SecurityContext.AllowPrivilegeEscalation, name)
		require.Equal(t, []corev1.Capability{"ALL"}, container.SecurityContext.Capabilities.Drop, name)
		env := map[string]string{}
		for _, variable := range container.Env {
			env[variable.Name] = variable.Value
		}
		require.Equal(t, "/run/secrets/levy/temporal-ca", env["LEVY_TEMPORAL_CA"])
		require.Equal(t, "/run/secrets/levy/master-keys", env["LEVY_MASTER_KEYS_FILE"])
		var secrets []string
		for _, source := range pod.Volumes[0].Projected.Sources {
			secrets = append(secrets, source.Secret.Name)
		}
		if name == "levy-migrate" {
			require.Equal(t, []string{"levy", "levy-owner"}, secrets)
			require.Equal(t, "/run/secrets/levy/owner-database-url", env["LEVY_DATABASE_URL_FILE"])
			continue
		}
		require.Equal(t, []string{"levy"}, secrets)
		require.Equal(t, "/run/secrets/levy/database-url", env["LEVY_DATABASE_URL_FILE"])
		if name == "levy-keys" {
			require.Equal(t, "/keys", env["LEVY_KEYS_FOLDER"])
			continue
		}
		require.Greater(t, *pod.TerminationGracePeriodSeconds, int64(35), "30 s more than the delay")
	}
}

// Workers may have a Secret of their own, with another login of PostgreSQL; the others do not get it.
func TestTheChartGivesWorkersTheirOwnLogin(t *testing.T) {
	objects, err := render(t, values(t, "worker.secret=levy-runner"))
	require.NoError(t, err)
	found := map[string]string{}
	for _, object := range objects {
		if o, ok := object.(*appsv1.Deployment); ok {
			require.Len(t, o.Spec.Template.Spec.Volumes[0].Projected.Sources, 1)
			found[o.Name] = o.Spec.Template.Spec.Volumes[0].Projected.Sources[0].Secret.Name
		}
	}
	require.Equal(t, map[string]string{"levy-api": "levy", "levy-worker": "levy-runner"}, found)
}

// Values that would make an unsafe installation, or none, are refused with the reason.
func TestTheChartRefuses(t *testing.T) {
	for value, reason := range map[string]string{
		"settings.LEVY_MASTER_KEYS=k1:abc":        "LEVY_MASTER_KEYS",
		"settings.LEVY_DATABASE_URL=postgres://x": "LEVY_DATABASE_URL",
		"image.digest=":                           "image",
		"image.digest=sha256:abc":                 "digest",
		"temporal.address=temporal":               "address",
		"api.replicas=0":                          "replicas",
		"worker.resources.limits=null":            "limits",
		"databse=x":                               "databse",
		"networkPolicy.enabled=maybe":             "enabled",
		"networkPolicy.database.port=none":        "port",
		"networkPolicy.metrics[0]=all":            "metrics",
	} {
		_, err := render(t, values(t, value))
		require.ErrorContains(t, err, reason, value)
	}
}

// Backups, the WAL and the restore are processes with the programs of PostgreSQL. Their commands read what the others write, they
// have their secrets as files, and a restore reaches no database.
func TestTheChartTakesBackups(t *testing.T) {
	const image = "backup.image.repository=registry.example/levy-backup,backup.image.tag=v1"
	for name, c := range map[string]struct {
		set     []string
		args    map[string][]string
		volumes map[string]string // of the restore: claim by its folder
	}{
		"a volume": {
			[]string{image, "backup.secret=levy-backup", "backup.place=/backups", "backup.claim=disk", "backup.wal=true",
				"backup.incremental=true", "restore.claim=new-disk"},
			map[string][]string{
				"levy-backup": {"backup", "/backups", "--keep", "14", "--incremental"}, "levy-wal": {"backup", "/backups", "--wal"},
				"levy-restore": {"restore", "/backups", "/restored/data", "--wal", "/backups/wal", "--keys", "/keys/levy-keys.jsonl"},
			},
			map[string]string{"/backups": "disk", "/restored": "new-disk", "/keys": "levy-keys"},
		},
		"an object store": {
			[]string{image, "backup.secret=levy-backup", "backup.place=s3://bucket/levy", "backup.keep=3", "backup.verify=false",
				"backup.wal=true",
				"restore.claim=new-disk", "keys.claim=", "restore.until=2026-11-23T08:30:00Z",
				"settings.LEVY_S3_ENDPOINT=https://minio.example:9000"},
			map[string][]string{
				"levy-backup":  {"backup", "s3://bucket/levy", "--keep", "3", "--no-verify"},
				"levy-wal":     {"backup", "s3://bucket/levy", "--wal"},
				"levy-restore": {"restore", "s3://bucket/levy", "/restored/data", "--wal", "s3://bucket/levy/wal", "--until", "2026-11-23T08:30:00Z"},
			},
			map[string]string{"/restored": "new-disk"},
		},
	} {
		objects, err := render(t, values(t, c.set...))
		require.NoError(t, err, name)
		pods, policies := map[string]corev1.PodSpec{}, map[string]networkingv1.NetworkPolicySpec{}
		for _, object := range objects {
			switch o := object.(type) {
			case *batchv1.CronJob:
				pods[o.Name] = o.Spec.JobTemplate.Spec.Template.Spec
				require.Equal(t, batchv1.ForbidConcurrent, o.Spec.ConcurrencyPolicy)
			case *batchv1.Job:
				pods[strings.TrimSuffix(o.Name, "-3")] = o.Spec.Template.Spec
				// Kubernetes refuses another template in a Job, so the next revision must not have the same.
				require.Equal(t, o.Name != "levy-migrate", strings.HasSuffix(o.Name, "-3"), o.Name)
			case *appsv1.Deployment:
				pods[o.Name] = o.Spec.Template.Spec
				if o.Name == "levy-wal" {
					require.EqualValues(t, 1, *o.Spec.Replicas)
					require.Equal(t, appsv1.RecreateDeploymentStrategyType, o.Spec.Strategy.Type)
				}
			case *networkingv1.NetworkPolicy:
				policies[o.Name] = o.Spec
			}
		}
		for process, args := range c.args {
			pod := pods[process]
			require.Len(t, pod.Containers, 1, "%s: %s", name, process)
			require.Equal(t, args, pod.Containers[0].Args, name)
			require.Equal(t, "registry.example/levy-backup:v1", pod.Containers[0].Image)
			require.True(t, *pod.Containers[0].SecurityContext.ReadOnlyRootFilesystem)
			require.NotEmpty(t, pod.Containers[0].Resources.Limits.Memory())
			require.Equal(t, "levy-backup", pod.Volumes[0].Projected.Sources[1].Secret.Name)
			env := map[string]string{}
			for _, variable := range pod.Containers[0].Env {
				env[variable.Name] = variable.Value
			}
			require.Equal(t, "/run/secrets/levy/replication-url", env["LEVY_REPLICATION_URL_FILE"])
			require.Equal(t, strings.HasPrefix(args[1], "s3://"), env["LEVY_S3_SECRET_KEY_FILE"] != "", name)
			ports := map[int]bool{}
			for _, egress := range policies[process].Egress {
				for _, port := range egress.Ports {
					ports[port.Port.IntValue()] = true
				}
			}
			require.Equal(t, process != "levy-restore", ports[5432], name)
			require.Equal(t, strings.HasPrefix(args[1], "s3://"), ports[9000], name)
			require.False(t, ports[7233], "no Temporal")
		}
		folders := map[string]string{}
		for _, mount := range pods["levy-restore"].Containers[0].VolumeMounts {
			for _, volume := range pods["levy-restore"].Volumes {
				if volume.Name == mount.Name && volume.PersistentVolumeClaim != nil {
					folders[mount.MountPath] = volume.PersistentVolumeClaim.ClaimName
				}
			}
		}
		require.Equal(t, c.volumes, folders, name)
	}
	for set, reason := range map[string]string{
		"backup.place=s3://bucket":                           "secret",
		image + ",backup.place=/backups,backup.secret=s":     "claim",
		image + ",backup.place=/elsewhere,backup.secret=s":   "place",
		"backup.place=s3://bucket/x,backup.secret=levy":      "image",
		image + ",backup.place=s3://b,backup.keep=0":         "keep",
		image + ",backup.place=s3://b,backup.scratch=plenty": "scratch",
	} {
		_, err := render(t, values(t, set))
		require.ErrorContains(t, err, reason, set)
	}
}
