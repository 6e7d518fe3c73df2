package dev.holdfast.server.http.edge;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Takes a request of an HTTP version that does not exist for what it is: not valid. Vert.x would answer 501, which tells
 * monitors that the server failed, though only a client did. What follows on the same connection is not looked at.
 */
final class KnownVersions extends ChannelInboundHandlerAdapter {
    private boolean refused;

    private KnownVersions() {}

    static void checkedOn(HttpConnection connection) {
        if (connection.protocolVersion() != io.vertx.core.http.HttpVersion.HTTP_2
                && connection instanceof ConnectionBase base) {
            ChannelHandlerContext last = base.channelHandlerContext();
            last.pipeline().addBefore(last.name(), "known-versions", new KnownVersions());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (refused) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof HttpRequest request && !isKnown(request.protocolVersion())) {
            refused = true;
            request.setProtocolVersion(HttpVersion.HTTP_1_1);
            if (request.decoderResult().isSuccess()) {
                request.setDecoderResult(DecoderResult.failure(new IllegalArgumentException("no such version")));
            }
        }
        context.fireChannelRead(message);
    }

    @SuppressWarnings(
            "ReferenceEquality") // Vert.x knows just these two: 'hTTP/1.1' is equal to one of them, and unknown to it
    private static boolean isKnown(HttpVersion version) {
        return version == HttpVersion.HTTP_1_1 || version == HttpVersion.HTTP_1_0;
    }
}
