//go:build !unix

package servertest

import "os/exec"

func ownGroup(*exec.Cmd) {}

func endGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
