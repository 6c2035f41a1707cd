package pg

import (
	"strconv"

	"levy/models"
)

// FailingRepeatedly returns the SQL condition on a row of the outbox that it had models.FailingAttempts attempts or
// more and that the last one failed.
func FailingRepeatedly(row string) string {
	return row + ".last_error IS NOT NULL AND " + TriedRepeatedly(row)
}

// TriedRepeatedly returns the SQL condition on a row of the outbox that models.FailingAttempts or more attempts have
// begun and none has ended its processing.
func TriedRepeatedly(row string) string {
	return row + ".attempts >= " + strconv.Itoa(models.FailingAttempts)
}
