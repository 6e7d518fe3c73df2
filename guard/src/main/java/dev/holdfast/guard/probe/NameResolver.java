package dev.holdfast.guard.probe;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** What a host name stands for. May block. */
@FunctionalInterface
interface NameResolver {
    InetAddress[] resolve(String host) throws UnknownHostException;
}
