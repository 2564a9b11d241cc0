package actor

import "sync"

// Accounts are who may ask a gateway, found by any of their keys, and what they
// have left to spend. All machines of a gateway share one.
type Accounts struct {
	// Keys finds the account of a key; nil makes every key an account of its own.
	Keys map[string]string
	// Balance is what each account may spend and Cost what one request reserves, in
	// whatever unit; a Cost of 0 spends nothing.
	Balance, Cost int

	mu    sync.Mutex // guards spent
	spent map[string]int
}

func (a *Accounts) of(key string) (account string, ok bool) {
	if a == nil || a.Keys == nil {
		return key, true
	}
	account, ok = a.Keys[key]
	return account, ok
}

// reserve takes the cost of one request off the balance, if it is there.
func (a *Accounts) reserve(account string) bool {
	if a == nil || a.Cost == 0 {
		return true
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.spent == nil {
		a.spent = map[string]int{}
	}
	if a.spent[account]+a.Cost > a.Balance {
		return false
	}
	a.spent[account] += a.Cost
	return true
}
