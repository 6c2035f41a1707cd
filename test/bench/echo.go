package main

import (
	"context"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"levy/internal/secret"
	"levy/models"
	"levy/store"
)

// echoed is the body of an estimate, as far as the requests of the load fill it.
type echoed struct {
	Date      time.Time `json:"date"`
	Addresses []struct {
		Type       string `json:"type"`
		Street1    string `json:"street_1"`
		City       string `json:"city"`
		State      string `json:"state"`
		PostalCode string `json:"postal_code"`
		Country    string `json:"country"`
	} `json:"addresses"`
	TransactionItems []struct {
		ExternalID        string `json:"external_id,omitempty"`
		ExternalProductID string `json:"external_product_id,omitempty"`
		ProductCategory   string `json:"product_category,omitempty"`
		Quantity          int    `json:"quantity"`
		Amount            string `json:"amount"`
	} `json:"transaction_items"`
}

// serveEcho is the reference of estimates: bare Gin that reads the JSON and writes
// it back, behind the same authentication with the same memory for keys. It has no
// log, no request id, no validation and no limits.
func serveEcho(ctx context.Context, address string) error {
	ring, err := secret.ParseRing(os.Getenv("LEVY_MASTER_KEYS"))
	if err != nil {
		return err
	}
	records, err := store.Open(ctx, store.Options{URL: os.Getenv("LEVY_DATABASE_URL")})
	if err != nil {
		return err
	}
	defer records.Close()
	known := &keys{hasher: secret.NewKeyHasher(ring), records: records}
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.GET("/readyz", func(c *gin.Context) { c.JSON(http.StatusOK, gin.H{"checks": gin.H{"echo": "ok"}}) })
	engine.POST("/v1/tax/estimate", known.authenticate, func(c *gin.Context) {
		var body echoed
		if err := c.ShouldBindJSON(&body); err != nil {
			c.AbortWithStatus(http.StatusBadRequest)
			return
		}
		c.JSON(http.StatusOK, body)
	})
	server := &http.Server{Addr: address, Handler: engine, ReadHeaderTimeout: time.Minute}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	if err := server.ListenAndServe(); ctx.Err() == nil {
		return err
	}
	return nil
}

// keys remembers for 5 s who a key speaks for, as Levy does.
type keys struct {
	hasher  *secret.KeyHasher
	records *store.Store
	mu      sync.RWMutex
	byHash  map[string]knownKey
}

type knownKey struct {
	models.Principal
	until time.Time
}

func (k *keys) authenticate(c *gin.Context) {
	key, now := c.GetHeader("X-API-KEY"), time.Now()
	if kind, ok := secret.APIKeyKind(key); !ok || kind == secret.KindOperator {
		c.AbortWithStatus(http.StatusUnauthorized)
		return
	}
	hash := string(k.hasher.Hash(key))
	k.mu.RLock()
	found, ok := k.byHash[hash]
	k.mu.RUnlock()
	if !ok || !now.Before(found.until) {
		principal, err := k.records.Organizations.FindPrincipal(c.Request.Context(), k.hasher.Hashes(key))
		if err != nil {
			c.AbortWithStatus(http.StatusUnauthorized)
			return
		}
		found = knownKey{principal, now.Add(5 * time.Second)}
		k.mu.Lock()
		k.byHash = map[string]knownKey{hash: found}
		k.mu.Unlock()
	}
	if c.GetHeader("x-organization-id") != found.OrganizationID {
		c.AbortWithStatus(http.StatusNotFound)
	}
}
