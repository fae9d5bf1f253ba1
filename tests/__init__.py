"""The tests of gatekit. Ctrl-C reaches what they start, also where they run in the background of a shell, which has its jobs ignore it."""
import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
