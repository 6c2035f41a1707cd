package report

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// ErrAmount is a text that is not an amount with two decimals.
var ErrAmount = errors.New("not an amount with two decimals")

// sum is an exact sum of amounts, in cents and of any size.
type sum struct {
	cents big.Int
	one   big.Int
}

func (s *sum) add(amount string) error {
	if err := s.read(amount); err != nil {
		return err
	}
	s.cents.Add(&s.cents, &s.one)
	return nil
}

func (s *sum) sub(amount string) error {
	if err := s.read(amount); err != nil {
		return err
	}
	s.cents.Sub(&s.cents, &s.one)
	return nil
}

func (s *sum) read(amount string) error {
	whole, fraction, _ := strings.Cut(amount, ".")
	digits := strings.TrimPrefix(whole, "-") + fraction
	if len(fraction) != 2 || len(digits) < 3 || len(digits) > 20 || strings.Trim(digits, "0123456789") != "" {
		return fmt.Errorf("%w: %q", ErrAmount, amount)
	}
	s.one.SetString(whole+fraction, 10)
	return nil
}

// String is the sum with two decimals.
func (s *sum) String() string {
	digits := new(big.Int).Abs(&s.cents).String()
	if len(digits) < 3 {
		digits = strings.Repeat("0", 3-len(digits)) + digits
	}
	sign := ""
	if s.cents.Sign() < 0 {
		sign = "-"
	}
	return sign + digits[:len(digits)-2] + "." + digits[len(digits)-2:]
}
