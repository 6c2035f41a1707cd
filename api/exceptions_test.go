package api

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// An overdue return that nobody may approve is not said to wait for approval.
func TestAnOverdueReturnSaysThatItsApprovalIsBlocked(t *testing.T) {
	t.Parallel()
	e := &models.Exception{
		Type: models.ExceptionOverdue, Status: string(models.FilingUnfiled), Since: time.Now().Add(-25 * time.Hour),
	}
	_, reason := inWords(e)
	require.Equal(t, "It is 2 days overdue. It is waiting for approval.", reason)
	e.Code = approvalBlocked
	_, reason = inWords(e)
	require.Equal(t, "It is 2 days overdue. Its approval is blocked.", reason)
}

// Tax that was collected without nexus has to be remitted: it makes no obligation to collect more.
func TestNexusSaysWhetherTaxHasToBeCollected(t *testing.T) {
	t.Parallel()
	e := &models.Exception{Type: models.ExceptionNexus, Name: "Ohio", Obliged: true}
	title, reason := inWords(e)
	require.Equal(t, "Nexus in Ohio", title)
	require.Equal(t, "The organization has to collect tax there but is not registered.", reason)
	e.Obliged = false
	_, reason = inWords(e)
	require.Equal(t, "The organization collected tax there and has to remit it but is not registered.", reason)
}
