package workflows

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	sdkpb "go.temporal.io/api/sdk/v1"
)

// The Temporal UI shows staff which messages a run takes, and what each does.
func TestMessagesAreDescribed(t *testing.T) {
	t.Parallel()
	for _, w := range Catalogue() {
		env := newEnvironment()
		env.RegisterWorkflow(w.run)
		var input []any
		if kind := reflect.TypeOf(w.run); kind.NumIn() > 1 {
			input = []any{reflect.Zero(kind.In(1)).Interface()}
		}
		env.ExecuteWorkflow(w.run, input...) // it ends at the first activity, because there is none
		definition := metadataOf(t, env).GetDefinition()
		for _, messages := range [][]*sdkpb.WorkflowInteractionDefinition{
			definition.GetQueryDefinitions(), definition.GetSignalDefinitions(), definition.GetUpdateDefinitions(),
		} {
			for _, m := range messages {
				require.NotEmpty(t, m.GetDescription(), "%s: %s", w.Name, m.GetName())
				if m.GetName()[0] != '_' {
					require.Contains(t, w.Messages, "`"+m.GetName()+"`", w.Name)
				}
			}
		}
	}
}
