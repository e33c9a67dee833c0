"""Japanese: the trading phrases in English. The verb comes last, so whole clauses are turned round."""

from __future__ import annotations

from bot.reading.tongues.tongue import Tongue

BUY = r"買いエントリー|買いで入る|買います|買い|買う|購入|ロングエントリー|エントリー|ロング"
EXIT = r"売って手仕舞い|売却して手仕舞い|手仕舞いします|手仕舞いする|手仕舞い|手仕舞う|決済する|決済します|決済|売却|売ります|売り|売る|エグジット|利益確定|クローズ"
SHORT = r"空売りします|空売りする|空売り|ショートエントリー|ショート|売り建て"
C = r"((?:\([^()\n]*\)|[^、。,.;:\n()がはを]){1,40}?)"
O = r"((?:\([^()\n]*\)|[^、。,.;:\n()がを]){1,40}?)"  # noqa: E741
TAIL = r"(?:ったら|たら|れば|ると|った時|った場合|るとき|る場合|るなら|っているなら|っていれば|っていて|っている|っており|って|り|る|た|て|い|け|し)?(?:たら|れば|と|場合|とき|時|て)?(?:に|は)?"
SPAN = r"(?:日間?|本|期間|営業日)"
FORMS: tuple[tuple[str, str], ...] = (
    (r"(\d{1,2})時(\d{2})分", r"=\1:\2"),
    (r"(\d{1,2}:\d{2})(?:に|で)(?:全て|すべて|全部)?(?:決済|手仕舞い|クローズ)", r" exit at the \1 bar "),
    (r"(\d{1,2}:\d{2})以降は?(?:新規)?(?:エントリー|取引)(?:しない|なし|禁止)", r" no entries from \1 "),
    (r"(\d+)時間足", r" \1 hour chart "),
    (r"(\d+)分足", r" \1 minute chart "),
    (r"1日(?:に)?(?:最大)?(?:1|一)回(?:まで|のみ)?", " at most one trade per day "),
    (r"(?:買い|ロング)のみ", " long only "),
    (r"(?:売り|空売り|ショート)のみ", " short only "),
    (r"(?:空売り|ショート)(?:なし|しない|は行わない|はしない)", " no shorts "),
    (r"(?:損切り|ストップ(?:ロス)?)(?:と|・|も|、|,)?(?:利確|利食い|利益確定)(?:は)?(?:なし|無し|しない)", " no stop and no target "),
    (r"(?:損切り|ストップ(?:ロス)?)(?:は)?(?:なし|無し|しない|設定しない)", " no stop "),
    (r"(?:利確|利食い)(?:は)?(?:なし|無し|しない)", " no target "),
    (r"(?:反対|逆)の?(?:シグナル|サイン)で(?:は)?(?:決済しない|手仕舞わない)", " opposite signals do not close the trade "),
    (r"(?:反対|逆)の?(?:シグナル|サイン)で(?:決済|手仕舞い)?", " exit on the opposite signal "),
    (r"ドテン(?:売買|する)?", " reverse "),
    (r"リスクは?(?:資金|口座)?の?(\d+(?:\.\d+)?)%", r" risk \1% of the capital per trade "),
    (rf"(\d+){SPAN}後に?(?:{EXIT})", r" exit after \1 bars "),
    (rf"(?:過去|直近|前)?(\d+){SPAN}(?:の)?(?:最高値|高値)", r" highest high of the previous \1 bars "),
    (rf"(?:過去|直近|前)?(\d+){SPAN}(?:の)?(?:最安値|安値)", r" lowest low of the previous \1 bars "),
    (rf"(\d+){SPAN}?の?(?:単純移動平均線?|単純平均線?|sma)", r" sma \1 "),
    (rf"(\d+){SPAN}?の?(?:指数平滑移動平均線?|指数移動平均線?|ema)", r" ema \1 "),
    (rf"(\d+){SPAN}?の?(?:移動平均線?|平均線)", r" moving average \1 "),
    (rf"{C}[がは]{O}を(?:下から上に|上に|上へ)?(?:上抜け|上抜い|上抜く|突き抜け|上にクロスし|上に抜け|ゴールデンクロスし|クロスし|突破し|ブレイクし){TAIL}", r" \1 crosses above \2 , "),
    (rf"{C}[がは]{O}を(?:上から下に|下に|下へ)?(?:下抜け|下抜い|下抜く|割り込|割っ|割り|下にクロスし|下に抜け|デッドクロスし)(?:ん|み|む)?{TAIL}(?:だら)?", r" \1 crosses below \2 , "),
    (rf"(?:上抜け|上抜い|突き抜け){TAIL}", " crosses above , "),
    (rf"(?:下抜け|下抜い|割り込ん|割り込){TAIL}(?:だら)?", " crosses below , "),
    (rf"{C}[がは]{O}を(?:上回|超え|越え){TAIL}", r" \1 is above \2 , "),
    (rf"{C}[がは]{O}を(?:下回){TAIL}", r" \1 is below \2 , "),
    (rf"{C}[がは]{O}(?:より上|より大き|より高|以上)(?:く|い|で|の|にあ)?{TAIL}", r" \1 is above \2 , "),
    (rf"{C}[がは]{O}(?:より下|より小さ|より低|以下|未満)(?:く|い|で|の|にあ)?{TAIL}", r" \1 is below \2 , "),
)  # fmt: skip
PHRASES = {
    "buy": BUY, "exit": EXIT, "go short": SHORT, "and": "かつ|そして|および|と|同時に", "or": "または|もしくは|か", "when": "もし", "then": "なら|ならば|場合|とき|時に", "only": "のみ|だけ", "without": "なし", "of": "の", "is": "は|が", "bullish cross": "ゴールデンクロス", "bearish cross": "デッドクロス",
    "close": "終値|終わり値", "open": "始値", "high": "高値", "low": "安値", "price": "価格|株価", "volume": "出来高", "moving average": "移動平均線|移動平均|平均線", "lower bollinger band": "ボリンジャーバンドの下限|ボリンジャーバンド下限|ボリンジャーバンドの下のバンド|下側ボリンジャーバンド|下のバンド",
    "upper bollinger band": "ボリンジャーバンドの上限|ボリンジャーバンド上限|上側ボリンジャーバンド|上のバンド", "middle bollinger band": "ボリンジャーバンドの中心線|中心線|ミドルバンド|ミドルライン", "bollinger bands": "ボリンジャーバンド", "signal line": "シグナル線|シグナルライン|シグナル", "macd line": "macdライン|macd線", "stochastic": "ストキャスティクス",
    "histogram": "ヒストグラム", "stop": "損切り|損切りは|ストップロス|ストップ|逆指値", "target": "利確|利確は|利食い|利益目標|目標|ターゲット", "trailing stop": "トレーリングストップ|トレールストップ", "percent": "パーセント", "points": "ポイント", "pips": "ピップス", "shares": "株", "symbol:": "銘柄は|銘柄", "timeframe:": "時間軸は|時間軸",
    "daily": "日足|デイリー", "weekly": "週足", "hourly": "1時間足|時間足", "strategy": "戦略|ストラテジー|手法", "thanks": "ありがとうございます|よろしくお願いします", "hello": "こんにちは", "bars": "本", "yesterday": "前日|昨日", "oversold": "売られすぎ", "overbought": "買われすぎ", "both directions": "両方向|売買両方", ". ": "。",
    ", ": "、",
}  # fmt: skip
JAPANESE = Tongue("", FORMS, PHRASES, letters="[\u3040-\u30ff]", spaced=False)
