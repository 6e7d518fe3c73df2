package dev.holdfast.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;

/** State of a given size, and what it takes to put it on the disk without a store. */
public final class StateFile {
    private StateFile() {}

    /** A document in the form of terraform's, of letters that cannot be compressed well. */
    public static byte[] document(int size, long serial, Random random) {
        byte[] begin = ("{\"version\":4,\"serial\":" + serial + ",\"lineage\":\"bench\",\"resources\":\"")
                .getBytes(StandardCharsets.UTF_8);
        byte[] end = "\"}".getBytes(StandardCharsets.UTF_8);
        byte[] content = Arrays.copyOf(begin, Math.max(size, begin.length + end.length + 1));
        for (int i = begin.length; i < content.length - end.length; i++) {
            content[i] = (byte) ('a' + random.nextInt(26));
        }
        System.arraycopy(end, 0, content, content.length - end.length, end.length);
        return content;
    }

    /** Writes it, and returns when it is on the disk. */
    public static void write(Path file, byte[] content) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer left = ByteBuffer.wrap(content);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        }
    }
}
