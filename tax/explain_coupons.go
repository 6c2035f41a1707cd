package tax

// sayCoupon tells where a coupon line went, in the step of its amount.
func (k *calculation) sayCoupon(s *sentences, n int) {
	w := &k.lines[n]
	k.sayNumber(s, n)
	s.say("A discount of ")
	s.cents(-w.amount)
	s.say(", which bears no tax of its own")
	said := false
	for _, part := range k.coupons {
		if part.from != n {
			continue
		}
		if said {
			s.say(", ")
		} else {
			s.say(": ")
		}
		s.cents(part.cents)
		s.say(" off line ")
		s.text = appendInt(s.text, int64(part.to+1))
		said = true
	}
	s.say(".")
	if w.paid < 0 {
		s.say(" The other lines have no room for ")
		s.cents(-w.paid)
		s.say(" of it.")
	}
	s.end(StepRate)
}

// sayKept tells which reductions of a taxed line do not lower its base, and by which law.
func (k *calculation) sayKept(s *sentences, w *work) {
	for kind, cents := range w.reduced {
		if cents == 0 {
			continue
		}
		for of := range k.authorities() {
			law := k.discountLawOf(of, reductionKind(kind))
			if law == nil || law.lowers {
				continue
			}
			s.say(" The base holds ")
			s.cents(cents)
			s.say(" that is paid by ", reductionNouns[kind], " (", law.source, ").")
			break
		}
	}
}
