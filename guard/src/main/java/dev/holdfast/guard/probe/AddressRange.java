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
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        if (!literal(address)) {
            throw new IllegalArgumentException("'" + text + "' is not an address or a range like 10.1.0.0/16");
        }
        byte[] network = bytes(address, text);
        int most = network.length * 8;
        int bits = slash < 0 ? most : number(text.substring(slash + 1), most, text);
        return new AddressRange(network, bits);
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

    private static byte[] bytes(String address, String all) {
        try {
            return InetAddress.getByName(address).getAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("'" + all + "' is not an address or a range like 10.1.0.0/16", e);
        }
    }

    private static int number(String text, int most, String all) {
        int bits = text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : -1;
        if (bits < 0 || bits > most) {
            throw new IllegalArgumentException("'" + all + "': after the slash comes a number from 0 to " + most);
        }
        return bits;
    }
}
