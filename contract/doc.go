// Package contract holds what the callers of operations and the operations share: their requests and answers, and the
// interface Operations. They are generated from openapi.yaml of api. Its subpackages are the validator and the problems.
// It knows no HTTP.
package contract
