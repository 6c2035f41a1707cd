//go:build !chaos

package twice

import "go.temporal.io/sdk/interceptor"

// Interceptors returns none.
func Interceptors() []interceptor.ClientInterceptor { return nil }
