package people

import (
	"encoding/base32"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/service/internal/convert"
)

var testNow = time.Date(2026, 5, 15, 10, 0, 2, 123456789, time.UTC)

// The clock of the service decides when a link ends, as for all other times.
func TestAnInvitationEndsByTheClockOfTheService(t *testing.T) {
	t.Parallel()
	s := &Operations{now: func() time.Time { return testNow }}
	answer := s.invitedAnswer(&models.User{}, "org_1", "token")
	require.Equal(t, convert.Instant(testNow.Add(models.SignInLinkLasts)), *answer.SignInPathExpiresAt)
}

// These are the vectors of RFC 6238, appendix B, for SHA-1: the last six of their eight digits.
func TestOneTimeCodesFollowRFC6238(t *testing.T) {
	t.Parallel()
	plain := base32.StdEncoding.EncodeToString([]byte("12345678901234567890"))
	for seconds, code := range map[int64]string{
		59: "287082", 1111111109: "081804", 1111111111: "050471",
		1234567890: "005924", 2000000000: "279037", 20000000000: "353130",
	} {
		at, step := time.Unix(seconds, 0), seconds/30
		for shift, accepted := range map[int64]bool{-2: false, -1: true, 0: true, 1: true, 2: false} {
			if step+shift < 0 {
				continue // before 1970
			}
			found, ok := matchingStep(plain, code, at.Add(time.Duration(30*shift)*time.Second), 0)
			require.Equal(t, accepted, ok, "%s, %d steps off", code, shift)
			require.True(t, !ok || found == step)
		}
		_, ok := matchingStep(plain, code, at, step-1)
		require.True(t, ok)
		_, ok = matchingStep(plain, code, at, step)
		require.False(t, ok, "each is used once")
		for _, wrong := range []string{"", code[:5], code + "0", " " + code} {
			_, ok = matchingStep(plain, wrong, at, 0)
			require.False(t, ok, "%q", wrong)
		}
	}
}
