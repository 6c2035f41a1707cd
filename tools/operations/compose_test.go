package operations

import (
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"
)

// docker-compose.yml keeps to the schema of compose, and the order in which its parts begin is the documented one:
// the schema of Temporal, Temporal, its namespace, the roles, the migration, and then the service.
func TestCompose(t *testing.T) {
	options, err := cli.NewProjectOptions([]string{"../../docker-compose.yml"}, cli.WithEnv([]string{
		"POSTGRES_PASSWORD=a", "LEVY_OWNER_PASSWORD=b", "LEVY_DATABASE_PASSWORD=c", "TEMPORAL_DATABASE_PASSWORD=d",
		"LEVY_WORKER_PASSWORD=f",
		"LEVY_MASTER_KEYS=k1:e",
	}))
	require.NoError(t, err)
	project, err := options.LoadProject(t.Context())
	require.NoError(t, err)
	before := map[string]map[string]string{}
	for name, service := range project.Services {
		before[name] = map[string]string{}
		for other, dependency := range service.DependsOn {
			before[name][other] = dependency.Condition
		}
		require.Positive(t, service.MemLimit, name)
		require.Equal(t, []string{"no-new-privileges:true"}, service.SecurityOpt, name)
		for _, port := range service.Ports {
			require.Equal(t, "127.0.0.1", port.HostIP, "%s can be reached from other machines", name)
		}
		if service.Image == "levy:local" || service.Image == "levy-backup:local" {
			require.True(t, service.ReadOnly, name)
			require.Equal(t, []string{"ALL"}, service.CapDrop, name)
		}
	}
	done, healthy := types.ServiceConditionCompletedSuccessfully, types.ServiceConditionHealthy
	require.Equal(t, map[string]map[string]string{
		"postgres":           {},
		"temporal-schema":    {"postgres": healthy},
		"temporal":           {"temporal-schema": done},
		"temporal-namespace": {"temporal": healthy},
		"temporal-ui":        {"temporal": healthy},
		"roles":              {"postgres": healthy},
		"migrate":            {"roles": done, "temporal-namespace": done},
		"api":                {"migrate": done},
		"worker":             {"migrate": done},
		"keys":               {"migrate": done},
		"backup":             {"migrate": done},
		"wal":                {"migrate": done},
	}, before)
	// The restore begins by hand alone. As the only one it may become another user, and it writes nowhere but into its volume.
	restore := project.DisabledServices["restore"]
	require.Empty(t, restore.DependsOn)
	require.Empty(t, restore.CapDrop)
	require.Equal(t, "root", restore.User)
	for _, volume := range restore.Volumes {
		require.Equal(t, volume.Source == "backups" || volume.Source == "keys", volume.ReadOnly, volume.Source)
	}
	for name, service := range project.Services {
		for _, volume := range service.Volumes {
			require.False(t, volume.Source == "keys" && name != "keys", "%s has the wrapped keys", name)
		}
	}

	// It does not start without its secrets.
	options, err = cli.NewProjectOptions([]string{"../../docker-compose.yml"})
	require.NoError(t, err)
	_, err = options.LoadProject(t.Context())
	require.ErrorContains(t, err, "see deploy/env.example")
}
