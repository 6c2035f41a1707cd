package main

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// Without the address of their passkeys, people who have nothing else cannot sign in. The status and the log of the API
// say how many, and what to do.
func TestPeopleWithPasskeysAloneAreCounted(t *testing.T) {
	t.Parallel()
	s, url := storetest.NewStore(t)
	scope := storetest.Organization(t, url)
	person := func(name string, active, passkey, confirmed bool) {
		t.Helper()
		u := models.User{Email: name + "@example.com", Name: name}
		require.NoError(t, s.People.CreateUser(t.Context(), storetest.Actor, &u,
			&models.Membership{OrganizationID: scope.OrganizationID, Role: models.RoleViewer}, nil))
		if active {
			storetest.Execute(t, url, "UPDATE users SET status = 'ACTIVE', password_hash = 'hash' WHERE id = $1", u.ID)
		}
		if passkey {
			storetest.Execute(t, url, `INSERT INTO passkeys (credential_id, user_id, public_key, counter, name, transports,
				backup_eligible, created_at) VALUES ($1, $2, 'key', 0, 'Laptop', '', false, now())`, []byte(name), u.ID)
		}
		if confirmed {
			storetest.Execute(t, url, `INSERT INTO second_factors (user_id, master_key_id, wrapped, sealed, last_step,
				created_at, confirmed_at) VALUES ($1, 'm', $2, 's', 0, now(), now())`, u.ID, make([]byte, 60))
		}
	}
	warned := func(cfg Config) string {
		var log bytes.Buffer
		(&parts{cfg: cfg, store: s, log: slog.New(slog.NewTextHandler(&log, nil))}).warnOfLockedOut(t.Context())
		return log.String()
	}
	person("password", true, false, false)
	person("codes", true, true, true)
	person("disabled", false, true, false)
	require.Empty(t, warned(Config{}))
	person("alone", true, true, false)
	require.Contains(t, warned(Config{}), "1 person has passkeys and no codes, and cannot sign in.")
	person("another", true, true, false)
	said := warned(Config{PublicURL: "https://192.0.2.1"})
	require.Contains(t, said, "2 people have passkeys and no codes")
	require.Contains(t, said, "LEVY_PUBLIC_URL has a number for a host")
	require.Contains(t, said, "levy user invite")
	require.Empty(t, warned(Config{PublicURL: "https://levy.example"}))
	require.Empty(t, warned(Config{OIDCIssuer: "https://issuer.example"}), "they sign in at the provider")

	status, err := levyOn(t, url, "status")
	require.ErrorIs(t, err, errAlarms)
	require.Contains(t, status, "2 people have passkeys and no codes")
}
