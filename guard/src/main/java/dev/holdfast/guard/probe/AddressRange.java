package dev.holdfast.guard.probe;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** A block of addresses, such as {@code 10.1.0.0/16} or {@code fd00::/8}. */
public final class AddressRange {
    private final byte[] network;
    private final int bits;

    private AddressRange(byte[] network, int bits) {
        this.network = network;
        this.bits = bits;
    }

    /** Reads {@code address/bits}, or one address. Never asks a name server. */
    public static AddressRange of(String text) {
        String[] parts = text.split("/", 2);
        try {
            if (!literal(parts[0])) {
                throw new UnknownHostException(text);
            }
            byte[] network = InetAddress.getByName(parts[0]).getAddress();
            int most = network.length * 8;
            String bits = parts.length == 1 ? Integer.toString(most) : parts[1];
            if (!bits.matches("[0-9]{1,3}") || Integer.parseInt(bits) > most) {
                throw new IllegalArgumentException("'" + text + "': after the slash comes a number from 0 to " + most);
            }
            return new AddressRange(network, Integer.parseInt(bits));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("'" + text + "' is not an address or a range like 10.1.0.0/16", e);
        }
    }

    /** Whether the text can only be an address, so that looking it up asks nobody. */
    public static boolean literal(String text) {
        return text.indexOf(':') >= 0 || text.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    }

    /** Whether this address, of four or sixteen bytes, is in it. */
    public boolean contains(byte[] address) {
        if (address.length != network.length) {
            return false;
        }
        int whole = bits / 8;
        if (!Arrays.equals(address, 0, whole, network, 0, whole)) {
            return false;
        }
        int rest = bits % 8;
        return rest == 0 || ((address[whole] ^ network[whole]) & 0xff) >>> (8 - rest) == 0;
    }
}
