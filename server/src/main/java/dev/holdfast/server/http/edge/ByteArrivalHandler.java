package dev.holdfast.server.http.edge;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Tells that bytes came in. Vert.x tells of a request only when its head is complete, and a head that comes byte by byte never is.
 * Only for HTTP/1: on HTTP/2 bytes come and go without any request.
 */
final class ByteArrivalHandler extends ChannelInboundHandlerAdapter {
    private final Runnable told;

    private ByteArrivalHandler(Runnable told) {
        this.told = told;
    }

    static void on(HttpConnection connection, Runnable told) {
        if (connection.protocolVersion() != HttpVersion.HTTP_2 && connection instanceof ConnectionBase base) {
            base.channelHandlerContext().pipeline().addFirst("arrivals", new ByteArrivalHandler(told));
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        told.run();
        context.fireChannelRead(message);
    }
}
