package tax

// StateOfZIP tells what the place table says about a ZIP: whether it is known at
// all, and whether it lies, also in part, in the state.
func (c *Content) StateOfZIP(zip int, state string) (known, inside bool) {
	if zip < 0 || zip >= numZIPs {
		return false, false
	}
	first, end := c.places.ofZIP(zip)
	for row := first; row < end; row++ {
		if c.states[c.places.rows[row].state].code == state {
			return true, true
		}
	}
	return first < end, false
}
