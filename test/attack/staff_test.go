package attack_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/stretchr/testify/require"
	sdkclient "go.temporal.io/sdk/client"

	"levy/internal/secret"
	"levy/models"
	"levy/workflows"
)

// unsignedUpdates: who reaches Temporal, and is nobody, changes neither a return nor an onboarding.
func unsignedUpdates(b *attackRun) {
	now := time.Now().UTC() // of a day that the month before last may not have
	from := time.Date(now.Year(), now.Month()-2, 1, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	b.attack(http.MethodPost, "/v1/registrations",
		`{"country_code":"US","state_code":"NY","filing_frequency":"MONTHLY","imported":true,"registration_date":"`+from+`"}`)
	var filing string
	b.bed.Eventually("a return is planned", func(context.Context) (bool, error) {
		rows := b.bed.Rows("SELECT id FROM filings WHERE organization_id = $1 ORDER BY start_date LIMIT 1",
			b.attacker.organization)
		if len(rows) > 0 {
			filing, _ = rows[0]["id"].(string)
		}
		return len(rows) > 0, nil
	})
	run := workflows.FilingID(filing)
	b.bed.Eventually("its run has begun", func(ctx context.Context) (bool, error) {
		_, err := b.bed.Temporal().DescribeWorkflowExecution(ctx, run, "")
		return err == nil, err
	})
	stranger, ok := secret.ProofKey(secret.NewAPIKey(secret.KindOperator))
	require.True(b, ok)
	var made struct {
		Key string `json:"operator_key"`
	}
	require.NoError(b, json.Unmarshal(b.bed.Run("operator", "add", "Ann Lee"), &made))
	ann, ok := secret.ProofKey(made.Key)
	require.True(b, ok)
	for _, update := range []string{workflows.CancelUpdate, workflows.SkipUpdate, workflows.PauseUpdate,
		workflows.ApproveUpdate} {
		unsigned := workflows.FilingMessage{By: "Ann Lee", Reason: "an invented one"}
		if update == workflows.PauseUpdate || update == workflows.ApproveUpdate {
			unsigned.Reason = ""
		}
		invented, signed, ofAnother := unsigned, unsigned, unsigned
		invented.Proof = "Ann Lee"
		signed.Proof = models.SignUpdate(stranger, unsigned.Statement(run, update), time.Now())
		ofAnother.Proof = models.SignUpdate(ann, unsigned.Statement(run, "another"), time.Now())
		for what, message := range map[string]any{
			"nobody": unsigned, "a name for a proof": invented, "a key that nobody was given": signed,
			"a proof of Ann Lee for another Update": ofAnother,
		} {
			err := b.update(run, update, message)
			require.ErrorContains(b, err, "InvalidInput", "%s by %s", update, what)
			b.saw("refused")
		}
	}

	answer, err := b.bed.Send(b.Context(), b.bed.API, http.MethodPost, "/v1/organizations",
		map[string]any{"name": "Unsigned Updates"})
	require.NoError(b, err)
	require.Equal(b, http.StatusOK, answer.Status, "%s", answer.Body)
	client := answer.Field("id")
	cancel := map[string]any{"organization_id": client, "reason": "an invented one"}
	require.Error(b, b.update(workflows.OnboardingID(client), workflows.CancelUpdate, cancel), "in clear text")
	b.saw("refused")

	require.Equal(b, 1, b.bed.Count("SELECT count(*) FROM filings WHERE id = $1 AND status = 'UNFILED'", filing))
	require.Equal(b, 1, b.bed.Count(`SELECT count(*)
		FROM onboardings
		WHERE organization_id = $1 AND status = 'IN_PROGRESS'`, client))
	require.Zero(b, b.bed.Count("SELECT count(*) FROM audit WHERE staff = 'Ann Lee'"))
	b.only("refused", "200")
}

// update sends an Update as anybody can who reaches Temporal.
func (b *attackRun) update(run, name string, message any) error {
	ctx, cancel := context.WithTimeout(b.Context(), 30*time.Second)
	defer cancel()
	handle, err := b.bed.Temporal().UpdateWorkflow(ctx, sdkclient.UpdateWorkflowOptions{
		WorkflowID: run, UpdateName: name, Args: []any{message}, WaitForStage: sdkclient.WorkflowUpdateStageCompleted,
	})
	if err != nil {
		return err
	}
	return handle.Get(ctx, nil)
}

// largestImport bounds what `levy content import-csv` may hold, in bytes: some times the text that it takes.
const largestImport = 700 << 20

// contentBombs: a table of rates that is small in its archive does not fill the memory of who imports it.
func contentBombs(b *attackRun) {
	const head = "zip,city,county,state,level,name,rate,valid_from,valid_to,source\n"
	row := ",,,CO,STATE,Colorado,0.039,2027-01-01,," + strings.Repeat("a", 400) + strings.Repeat(" ", 200<<10) + "\n"
	tables := map[string]struct{ first, again string }{"a row without an end": {head + `80202,"`,
		strings.Repeat("a", 1<<20)}}
	if b.long {
		tables["rows of spaces"] = struct{ first, again string }{head, row}
	}
	for name, table := range tables {
		file := filepath.Join(b.TempDir(), "rates.zip")
		require.NoError(b, os.WriteFile(file, csvBomb(b, table.first, table.again, 3<<30), 0o600))
		command := b.bed.Command("content", "import-csv", file)
		said, err := command.CombinedOutput()
		require.Error(b, err, name)
		require.Contains(b, string(said), "refused", "%s: %s", name, said)
		used := command.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
		b.saw(fmt.Sprintf("refused with %d MB", used/1e6))
		require.Less(b, used, int64(largestImport), name)
	}
	b.only("refused")
}

// csvBomb is an archive with a table that begins with first and repeats again up to a size.
func csvBomb(b *attackRun, first, again string, size int) []byte {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	require.NoError(b, err)
	write := func(text string) (flushed int) {
		_, err := w.Write([]byte(text))
		require.NoError(b, err)
		require.NoError(b, w.Flush())
		return packed.Len()
	}
	write(first)
	write(again)
	begin := packed.Len()
	end := write(again) // which is packed as one that follows its like
	times := size / len(again)
	stream := bytes.Join([][]byte{packed.Bytes()[:begin], bytes.Repeat(packed.Bytes()[begin:end], times)}, nil)

	var file bytes.Buffer
	archive := zip.NewWriter(&file)
	inside, err := archive.CreateRaw(&zip.FileHeader{
		Name: "rates.csv", Method: zip.Deflate, CompressedSize64: uint64(len(stream)), UncompressedSize64: uint64(size),
	})
	require.NoError(b, err)
	_, err = inside.Write(stream)
	require.NoError(b, err)
	require.NoError(b, archive.Close())
	return file.Bytes()
}
