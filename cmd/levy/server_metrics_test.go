package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/organizations"
	"levy/store/storetest"
)

// certificateFile writes certificates that end at times, as a chain.
func certificateFile(t *testing.T, ends ...time.Time) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	var content []byte
	for i, end := range ends {
		c := x509.Certificate{SerialNumber: big.NewInt(int64(i + 1)), NotBefore: end.AddDate(-1, 0, 0), NotAfter: end}
		der, err := x509.CreateCertificate(rand.Reader, &c, &c, &key.PublicKey, key)
		require.NoError(t, err)
		content = append(content, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})...)
	}
	path := filepath.Join(t.TempDir(), "cert.pem")
	require.NoError(t, os.WriteFile(path, content, 0o600))
	return path
}

// measuredServer returns the figures of the collector, by metric. A metric with labels has those of its first row.
func measuredServer(t *testing.T, c *serverCollector) map[string]float64 {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(c)
	families, err := registry.Gather()
	require.NoError(t, err)
	figures := map[string]float64{}
	for _, family := range families {
		figures[family.GetName()] = family.GetMetric()[0].GetGauge().GetValue()
	}
	return figures
}

// A fresh server is far from its limits. A standby, an end of a key or a certificate that does not exist has no figure.
func TestTheLimitsOfTheServerAreMeasured(t *testing.T) {
	t.Parallel()
	s, url := storetest.NewStore(t)
	figures := measuredServer(t, newServerCollector(s, Config{}))
	require.Len(t, figures, 2)
	require.Positive(t, figures["levy_database_connections_percent"])
	require.Less(t, figures["levy_database_connections_percent"], 100.0)
	require.GreaterOrEqual(t, figures["levy_database_wraparound_percent"], 0.0)
	require.Less(t, figures["levy_database_wraparound_percent"], 10.0)

	soon := time.Now().Add(48 * time.Hour)
	for name, ends := range map[string]*time.Time{"Ann": nil, "Bob": &soon, "Cal": new(time.Now().Add(240 * time.Hour))} {
		hash := sha256.Sum256([]byte(name))
		_, err := s.Organizations.CreateOperator(t.Context(), models.Actor{},
			organizations.NewOperator{Name: name, Hash: hash[:], ExpiresAt: ends})
		require.NoError(t, err)
	}
	cfg := Config{
		DatabaseFolder: t.TempDir(), TLSCert: certificateFile(t, time.Now().AddDate(0, 1, 0), time.Now().Add(72*time.Hour)),
		TemporalCert: filepath.Join(t.TempDir(), "missing.pem"),
	}
	figures = measuredServer(t, newServerCollector(s, cfg))
	const day = 24 * 60 * 60
	require.InDelta(t, 2*day, figures["levy_operator_key_valid_seconds"], 3600)
	require.InDelta(t, 3*day, figures["levy_certificate_valid_seconds"], 3600)
	require.Positive(t, figures["levy_database_disk_free_percent"])
	require.LessOrEqual(t, figures["levy_database_disk_free_percent"], 100.0)
	require.NotContains(t, figures, "levy_keys_saved_age_seconds")
	require.NotContains(t, figures, "levy_fullest_storage_percent", "nothing is stored")
	storetest.Execute(t, url, "INSERT INTO organization_storage (organization_id, bytes, most) VALUES ($1, 91, 100)",
		storetest.Organization(t, url).OrganizationID)
	require.InDelta(t, 91, measuredServer(t, newServerCollector(s, cfg))["levy_fullest_storage_percent"], 0)
	storetest.Execute(t, url, "UPDATE operator_keys SET revoked_at = now()")
	require.NotContains(t, measuredServer(t, newServerCollector(s, cfg)), "levy_operator_key_valid_seconds")
}

func TestAFileWithoutACertificateHasNoEnd(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "empty.pem")
	require.NoError(t, os.WriteFile(path, []byte("no certificate"), 0o600))
	_, err := certificateEnd(path)
	require.Error(t, err)
}
