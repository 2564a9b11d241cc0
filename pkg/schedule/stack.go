package schedule

// stackOfAnExchange is a little more than half of what a goroutine's stack grows to over a TLS handshake:
// stacks double. In bytes.
const stackOfAnExchange = 17 << 10

// growStack makes room on this goroutine's stack for a whole exchange. A new one begins with 2 KiB and is
// copied at every doubling: behind a barrier each slot would do so between its release and its first
// packet, and those after it would start late.
//
//go:noinline
func growStack() {
	var room [stackOfAnExchange]byte
	touch(&room)
}

//go:noinline
func touch(room *[stackOfAnExchange]byte) { room[0] = 1 }
