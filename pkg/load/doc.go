// Package load tells what a service did under more and more load: for every stage of a ramp how many
// exchanges were accepted, throttled and failed, what the accepted ones cost, and whether the load was
// what it claims to be.
//
// It knows stages, bursts, instances, templates and health polls, and where the service bent. It
// refuses to know how a stage is sent (schedule) and how it is printed (report), and it promises
// nothing beyond the load that was applied: one burst is no sustained rate.
//
// The rule a caller must hold: figures are over accepted exchanges only. What was throttled has a
// latency of its own, and the two never meet in one number.
package load
