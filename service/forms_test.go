package service

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
)

// A refused form waits on a page encrypted. Only its person, on its page, gets it back.
func TestARefusedFormIsOpenedForItsOwnerAlone(t *testing.T) {
	t.Parallel()
	master := secret.NewMasterKey("test")
	ring, err := secret.ParseRing(master)
	require.NoError(t, err)
	s := &Service{keys: secret.NewKeyHasher(ring)}
	const form = "action=make&account-number=48151623420"
	sealed := s.SealForm("user_1 /o/org_1/keys", []byte(form))
	require.NotContains(t, sealed, "48151623420")
	opened, ok := s.OpenForm("user_1 /o/org_1/keys", sealed)
	require.True(t, ok)
	require.Equal(t, form, string(opened))
	for name, try := range map[string][2]string{
		"another person": {"user_2 /o/org_1/keys", sealed}, "another page": {"user_1 /o/org_1/people", sealed},
		"another text": {"user_1 /o/org_1/keys", strings.ToUpper(sealed)}, "none": {"user_1 /o/org_1/keys", ""},
	} {
		_, ok := s.OpenForm(try[0], try[1])
		require.False(t, ok, name)
	}
}
