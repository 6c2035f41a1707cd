package pg

import (
	"strconv"

	"levy/models"
)

// FailingRepeatedly is the condition on a row of the outbox that its last attempt failed, after
// models.FailingAttempts of them or more.
func FailingRepeatedly(row string) string {
	return row + ".last_error IS NOT NULL AND " + TriedRepeatedly(row)
}

// TriedRepeatedly is the condition on a row of the outbox that models.FailingAttempts of its attempts, or more, have
// begun and none has ended its processing.
func TriedRepeatedly(row string) string {
	return row + ".attempts >= " + strconv.Itoa(models.FailingAttempts)
}
